//! The course of a game as a picture: one number per position.

use std::fmt::Write;

/// A curve of Black's values.
pub(crate) struct Chart<'a> {
    /// What it shows.
    pub(crate) title: &'a str,
    /// The value by number of moves; nothing where it is not known.
    pub(crate) values: &'a [Option<f64>],
    /// The lowest and the highest value that are shown at least.
    pub(crate) range: (f64, f64),
    /// Where neither leads.
    pub(crate) even: f64,
    /// What is written behind a value.
    pub(crate) unit: &'a str,
    /// Moves to mark, by number.
    pub(crate) marked: &'a [usize],
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 20.0;

impl Chart<'_> {
    pub(crate) fn svg(&self) -> String {
        let mut svg = format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            self.title
        );
        let drawn = self.draw(&mut svg);
        debug_assert!(drawn.is_ok(), "text takes everything");
        svg + "</svg>"
    }

    fn draw(&self, svg: &mut String) -> std::fmt::Result {
        let known = || self.values.iter().flatten().copied();
        let low = known().fold(self.range.0, f64::min);
        let high = known().fold(self.range.1, f64::max);
        let last = self.values.len().saturating_sub(1).max(1) as f64;
        let x = |turn: usize| LEFT + turn as f64 / last * (WIDTH - LEFT - 6.0);
        let y = |value: f64| TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM);
        for value in [low, self.even, high] {
            let at = y(value);
            write!(svg, "<path class=\"rule\" d=\"M{LEFT} {at:.1}H{WIDTH}\"/>")?;
            write!(svg, "<text x=\"{}\" y=\"{:.1}\">{value:.0}{}</text>", LEFT - 6.0, at + 4.0, self.unit)?;
        }
        let step = [10, 25, 50, 100, 250, 1000].into_iter().find(|&step| self.values.len() / step <= 12);
        for turn in (0..self.values.len()).step_by(step.unwrap_or(10_000)).skip(1) {
            // The last number must not stick out.
            let at = (x(turn) + 8.0).min(WIDTH);
            write!(svg, "<text x=\"{at:.1}\" y=\"{}\">{turn}</text>", HEIGHT - 5.0)?;
        }
        write!(svg, "<path class=\"curve\" d=\"")?;
        let mut is_down = false;
        for (turn, value) in self.values.iter().enumerate() {
            match value {
                Some(value) => {
                    let letter = if is_down { 'L' } else { 'M' };
                    write!(svg, "{letter}{:.1} {:.1}", x(turn), y(*value))?;
                    is_down = true;
                }
                None => is_down = false,
            }
        }
        write!(svg, "\"/>")?;
        for &turn in self.marked {
            if let Some(Some(value)) = self.values.get(turn) {
                let (x, y) = (x(turn), y(*value));
                write!(
                    svg,
                    "<a href=\"#move-{turn}\"><circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>move {turn}</title></circle></a>"
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_broken_where_nothing_is_known() {
        let values = [Some(50.0), Some(60.0), None, Some(40.0)];
        let chart = Chart {
            title: "t",
            values: &values,
            range: (0.0, 100.0),
            even: 50.0,
            unit: "",
            marked: &[1, 2, 9],
        };
        let svg = chart.svg();
        let curve = svg.split("class=\"curve\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!((curve.matches('M').count(), curve.matches('L').count()), (2, 1), "{curve}");
        assert_eq!(svg.matches("class=\"mark\"").count(), 1, "only what is known can be marked");
    }
}
