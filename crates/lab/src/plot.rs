//! Plots of an experiment: our figures with their intervals, and the paper's beside them.
//!
//! Our series have filled marks and full lines, a paper's hollow marks and dashed lines; two series of the same thing share a
//! hue. Drawn as SVG by hand in `svg.rs`, which needs no other program to read again.

use crate::statistics::{Estimate, Interval};
use crate::svg;

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its file's name without the ending.
    pub name: String,
    /// What stands above it.
    pub title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
}

/// A direction.
#[derive(Clone, Debug)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
    /// Values that it shows even if no mark is there.
    pub(crate) shown: Vec<f64>,
}

/// How values become distances.
#[derive(Clone, Debug)]
pub(crate) enum Scale {
    Linear,
    Log,
    /// The names of 0, 1, 2, …, which no line connects.
    Named(Vec<String>),
}

/// Marks that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    pub(crate) label: String,
    pub(crate) hue: usize,
    pub(crate) is_paper: bool,
    pub(crate) marks: Vec<Mark>,
}

/// A value at a place.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<Interval>,
}

impl Plot {
    /// A plot of some series.
    pub fn new(name: &str, title: &str, x: Axis, y: Axis, series: Vec<Series>) -> Plot {
        Plot { name: name.to_owned(), title: title.to_owned(), x, y, series }
    }

    /// The plot as an SVG file, with a line below it.
    pub fn to_svg(&self, footer: &str) -> String {
        svg::draw(self, footer)
    }
}

impl Axis {
    /// Equal distances for equal differences.
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Linear, shown: Vec::new() }
    }

    /// Equal distances for equal factors; values must be above 0, others are not drawn.
    pub fn log(label: &str) -> Axis {
        Axis { scale: Scale::Log, ..Axis::linear(label) }
    }

    /// A place per name: marks are at 0 for the first, 1 for the second, and so on.
    pub fn named(label: &str, names: &[&str]) -> Axis {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Axis { scale: Scale::Named(names), ..Axis::linear(label) }
    }

    /// Shows a value even if no mark is there.
    #[must_use]
    pub fn showing(mut self, value: f64) -> Axis {
        self.shown.push(value);
        self
    }
}

impl Series {
    /// Our figures; series of the same thing have the same hue.
    pub fn new(label: &str, hue: usize, marks: Vec<Mark>) -> Series {
        Series { label: label.to_owned(), hue, is_paper: false, marks }
    }

    /// Figures from a paper.
    pub fn paper(label: &str, hue: usize, marks: Vec<Mark>) -> Series {
        Series { is_paper: true, ..Series::new(label, hue, marks) }
    }
}

impl Mark {
    /// A value without an interval.
    pub fn sure(x: f64, y: f64) -> Mark {
        Mark { x, y, interval: None }
    }

    /// A number with its interval, if it has one.
    pub fn estimate(x: f64, Estimate { value, interval }: Estimate) -> Mark {
        Mark { x, y: value, interval }
    }
}
