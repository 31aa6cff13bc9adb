//! Draws a [`Plot`] as an SVG file, readable on light and dark pages.
//!
//! The first colours are those that most colour-blind people can tell apart (Okabe and Ito 2008), and every colour has a mark of its own
//! for everybody else. Where there are more series than colours, the colours begin again with other marks, so that no two series look alike.

use std::fmt::Write;

use crate::plot::{Axis, Mark, Plot, Scale, Series};

/// In units of the file, about pixels.
const WIDTH: f64 = 680.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = WIDTH - 20.0;
const TOP: f64 = 44.0;
const LEGEND_LINE: f64 = 18.0;
const HEIGHT_OF_FIELD: f64 = 300.0;
/// The average width of a letter of ordinary text and of the footer's.
const LETTER: f64 = 6.6;
const SMALL_LETTER: f64 = 5.0;
const FOOTER_LINE: f64 = 12.0;
/// Between the marks that two series have at one place: by name there is room to set them side by side, on a line just enough to tell
/// their intervals apart.
const APART_BY_NAME: f64 = 12.0;
const APART: f64 = 3.0;

const STYLE: &str = "\
text{font:12px sans-serif;fill:#24292f}.t{font-size:15px;font-weight:600}.f{font-size:9px}\
.b{fill:#fff}.g{stroke:#d0d7de;stroke-width:1}.a{stroke:#57606a;stroke-width:1.2}\
.l{fill:none;stroke-width:2}.e{stroke-width:1.3}.p{stroke-dasharray:5 4}.m{stroke-width:1.6}";

/// What comes after the rules of the hues, and overrules them.
const STYLE_OF_LINES: &str = ".l,.o{fill:none}.o{fill:#fff}";

const STYLE_IN_THE_DARK: &str = "text{fill:#e6edf3}.b,.o{fill:#0d1117}.g{stroke:#30363d}.a{stroke:#8b949e}";

/// Colours on a light and on a dark page.
const HUES: [(&str, &str); 12] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff8c42"),
    ("#009e73", "#2fcf9f"),
    ("#a6428c", "#e08cc8"),
    ("#9a6b00", "#e6b422"),
    ("#57606a", "#8b949e"),
    ("#111111", "#ffffff"),
    ("#b3001b", "#ff5d6c"),
    ("#3b3ba8", "#9d9dff"),
    ("#5c7f00", "#a8d22a"),
    ("#00808c", "#3fd3e0"),
    ("#7a4a2b", "#c99b78"),
];

/// Corners of the marks; the first mark is a circle and has none.
const MARKS: [&[(f64, f64)]; 12] = [
    &[],
    &[(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)],
    &[(0.0, -5.0), (4.6, 3.5), (-4.6, 3.5)],
    &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
    &[(0.0, 5.0), (4.6, -3.5), (-4.6, -3.5)],
    &[(-5.0, -2.5), (5.0, -2.5), (5.0, 2.5), (-5.0, 2.5)],
    &[(-5.0, 0.0), (3.5, -4.6), (3.5, 4.6)],
    &[(5.0, 0.0), (-3.5, -4.6), (-3.5, 4.6)],
    &[(-2.5, -5.0), (2.5, -5.0), (2.5, 5.0), (-2.5, 5.0)],
    // A plus.
    &[
        (-1.7, -5.0),
        (1.7, -5.0),
        (1.7, -1.7),
        (5.0, -1.7),
        (5.0, 1.7),
        (1.7, 1.7),
        (1.7, 5.0),
        (-1.7, 5.0),
        (-1.7, 1.7),
        (-5.0, 1.7),
        (-5.0, -1.7),
        (-1.7, -1.7),
    ],
    // A pentagon.
    &[(0.0, -5.0), (4.8, -1.5), (2.9, 4.0), (-2.9, 4.0), (-4.8, -1.5)],
    // A star of four points.
    &[(0.0, -6.0), (1.5, -1.5), (6.0, 0.0), (1.5, 1.5), (0.0, 6.0), (-1.5, 1.5), (-6.0, 0.0), (-1.5, -1.5)],
];

/// The colour and the mark of a series' hue: a pair of its own for the first 144.
fn look(hue: usize) -> (usize, usize) {
    let color = hue % HUES.len();
    (color, (color + hue / HUES.len()) % MARKS.len())
}

fn style() -> String {
    let mut style = STYLE.to_owned();
    let mut dark = STYLE_IN_THE_DARK.to_owned();
    for (hue, (on_light, on_dark)) in HUES.iter().enumerate() {
        style += &format!(".h{hue}{{stroke:{on_light};fill:{on_light}}}");
        dark += &format!(".h{hue}{{stroke:{on_dark}}}.m.h{hue}{{fill:{on_dark}}}");
    }
    format!("{style}{STYLE_OF_LINES}@media(prefers-color-scheme:dark){{{dark}.m.o{{fill:#0d1117}}}}")
}

/// The file, with a line below the plot.
pub(crate) fn draw(plot: &Plot, footer: &str) -> String {
    let legend = legend(&plot.series);
    let top = TOP + legend.lines as f64 * LEGEND_LINE;
    let bottom = top + HEIGHT_OF_FIELD;
    let footer = wrap(footer, ((WIDTH - 20.0) / SMALL_LETTER) as usize);
    let slant = Slant::of(&plot.x);
    let label = bottom + 36.0 + slant.depth;
    let height = label + 18.0 + FOOTER_LINE * footer.len() as f64;
    let marks = || plot.series.iter().flat_map(|series| &series.marks);
    let x = Ruler::new(&plot.x, marks().map(|mark| mark.x), (LEFT, RIGHT));
    let values = marks().flat_map(|mark| {
        let ends = mark.interval.map(|interval| [interval.low, interval.high]);
        ends.into_iter().flatten().chain([mark.y])
    });
    let y = Ruler::new(&plot.y, values, (bottom, top));
    let mut svg = Canvas::default();
    svg.add(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">"#
    ));
    svg.add(format_args!("<title>{}</title><style>{}</style>", escape(&plot.title), style()));
    svg.add(format_args!(r#"<rect class="b" width="{WIDTH}" height="{height}"/>"#));
    svg.text((WIDTH / 2.0, 24.0), "middle", "t", &plot.title);
    svg.0 += &legend.text;
    for (value, name) in x.ticks() {
        let at = x.place(value);
        svg.line("g", (at, top), (at, bottom));
        match slant.depth > 0.0 {
            false => svg.text((at, bottom + 16.0), "middle", "", &name),
            true => svg.slanted_text((at + 4.0, bottom + 14.0), &name),
        }
    }
    for (value, name) in y.ticks() {
        let at = y.place(value);
        svg.line("g", (LEFT, at), (RIGHT, at));
        svg.text((LEFT - 8.0, at + 4.0), "end", "", &name);
    }
    svg.line("a", (LEFT, bottom), (RIGHT, bottom));
    svg.line("a", (LEFT, top), (LEFT, bottom));
    svg.text(((LEFT + RIGHT) / 2.0, label), "middle", "", &plot.x.label);
    let middle = (top + bottom) / 2.0;
    svg.add(format_args!(
        r#"<text x="16" y="{middle:.1}" text-anchor="middle" transform="rotate(-90 16 {middle:.1})">{}</text>"#,
        escape(&plot.y.label)
    ));
    let apart = if matches!(plot.x.scale, Scale::Named(_)) { APART_BY_NAME } else { APART };
    for (number, series) in plot.series.iter().enumerate() {
        let shift = apart * (number as f64 - (plot.series.len() as f64 - 1.0) / 2.0);
        svg.series(series, &x, &y, shift);
    }
    for (number, line) in footer.iter().enumerate() {
        svg.text((WIDTH / 2.0, label + 20.0 + FOOTER_LINE * number as f64), "middle", "f", line);
    }
    svg.0 += "</svg>\n";
    svg.0
}

/// The text of a file as it grows.
#[derive(Default)]
struct Canvas(String);

impl Canvas {
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{line}");
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.add(format_args!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = escape(text);
        self.add(format_args!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    /// Text that ends at a place, coming from the lower left.
    fn slanted_text(&mut self, (x, y): (f64, f64), text: &str) {
        let text = escape(text);
        let degrees = Slant::DEGREES;
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="end" transform="rotate(-{degrees} {x:.1} {y:.1})">{text}</text>"#
        ));
    }

    /// A series whose marks are moved to the right by `shift`.
    fn series(&mut self, series: &Series, x: &Ruler<'_>, y: &Ruler<'_>, shift: f64) {
        let across = |mark: &Mark| x.place(mark.x) + shift;
        let is_drawn = |mark: &&Mark| x.holds(mark.x) && y.holds(mark.y);
        let marks: Vec<&Mark> = series.marks.iter().filter(is_drawn).collect();
        let (hue, _) = look(series.hue);
        let dashes = if series.is_paper { " p" } else { "" };
        if !matches!(x.axis.scale, Scale::Named(_)) && marks.len() > 1 {
            let points: Vec<String> =
                marks.iter().map(|mark| format!("{:.1},{:.1}", across(mark), y.place(mark.y))).collect();
            self.add(format_args!(r#"<polyline class="l h{hue}{dashes}" points="{}"/>"#, points.join(" ")));
        }
        for mark in marks {
            let at = across(mark);
            if let Some(interval) = mark.interval.filter(|interval| y.holds(interval.low)) {
                let class = format!("e h{hue}");
                let (low, high) = (y.place(interval.low), y.place(interval.high));
                self.line(&class, (at, low), (at, high));
                for end in [low, high] {
                    self.line(&class, (at - 4.0, end), (at + 4.0, end));
                }
            }
            self.mark(series, (at, y.place(mark.y)));
        }
    }

    fn mark(&mut self, series: &Series, (x, y): (f64, f64)) {
        let (hue, mark) = look(series.hue);
        let hollow = if series.is_paper { " o" } else { "" };
        let class = format!("m h{hue}{hollow}");
        match MARKS[mark] {
            [] => self.add(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#)),
            corners => {
                let points: Vec<String> =
                    corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
                self.add(format_args!(r#"<polygon class="{class}" points="{}"/>"#, points.join(" ")));
            }
        }
    }
}

/// How names below an axis are turned if they do not fit side by side.
struct Slant {
    /// How far they then reach down; 0 if they are not turned.
    depth: f64,
}

impl Slant {
    const DEGREES: f64 = 60.0;

    fn of(axis: &Axis) -> Slant {
        let Scale::Named(names) = &axis.scale else { return Slant { depth: 0.0 } };
        let longest = LETTER * names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
        let fits = (longest + LETTER) * names.len() as f64 <= RIGHT - LEFT;
        Slant { depth: if fits { 0.0 } else { longest * Slant::DEGREES.to_radians().sin() } }
    }
}

/// A text in lines of at most so many letters, broken at spaces.
fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

struct Legend {
    text: String,
    lines: usize,
}

/// The names of the series below the title, as many a line as there is room for.
fn legend(series: &[Series]) -> Legend {
    let mut canvas = Canvas::default();
    let (mut x, mut lines) = (LEFT, 1);
    for series in series {
        // The mark, and the text.
        let width = 34.0 + LETTER * series.label.chars().count() as f64;
        if x + width > RIGHT && x > LEFT {
            (x, lines) = (LEFT, lines + 1);
        }
        let y = TOP + LEGEND_LINE * (lines as f64 - 1.0);
        let dashes = if series.is_paper { " p" } else { "" };
        canvas.line(&format!("l h{}{dashes}", look(series.hue).0), (x, y), (x + 20.0, y));
        canvas.mark(series, (x + 10.0, y));
        canvas.text((x + 26.0, y + 4.0), "start", "", &series.label);
        x += width + 8.0;
    }
    Legend { text: canvas.0, lines }
}

/// An axis with the range of its values and where they lie.
struct Ruler<'a> {
    axis: &'a Axis,
    /// The ends of the range, as the scale sees them.
    low: f64,
    high: f64,
    /// Where they lie.
    ends: (f64, f64),
}

impl<'a> Ruler<'a> {
    fn new(axis: &'a Axis, values: impl Iterator<Item = f64>, ends: (f64, f64)) -> Ruler<'a> {
        let mut ruler = Ruler { axis, low: 0.0, high: 1.0, ends };
        if let Scale::Named(names) = &axis.scale {
            (ruler.low, ruler.high) = (-0.5, names.len().max(1) as f64 - 0.5);
            return ruler;
        }
        let values = values.chain(axis.shown.iter().copied());
        let measured: Vec<f64> =
            values.filter(|&value| ruler.holds(value)).map(|value| ruler.measure(value)).collect();
        if !measured.is_empty() {
            let low = measured.iter().copied().fold(f64::INFINITY, f64::min);
            let high = measured.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            // A little air on both sides, and a range even for one value.
            let air = if high > low { 0.04 * (high - low) } else { 0.1 * low.abs().max(1.0) };
            (ruler.low, ruler.high) = (low - air, high + air);
        }
        ruler
    }

    /// Whether the scale has a place for a value.
    fn holds(&self, value: f64) -> bool {
        value.is_finite() && (value > 0.0 || !matches!(self.axis.scale, Scale::Log))
    }

    fn measure(&self, value: f64) -> f64 {
        if matches!(self.axis.scale, Scale::Log) { value.log10() } else { value }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (self.measure(value) - self.low) / (self.high - self.low);
        self.ends.0 + share * (self.ends.1 - self.ends.0)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        match &self.axis.scale {
            Scale::Named(names) => (0..).map(f64::from).zip(names.iter().cloned()).collect(),
            Scale::Log => {
                let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
                let digits: &[f64] = if last - first > 3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
                let values =
                    (first..=last).flat_map(|power| digits.iter().map(move |d| d * 10f64.powi(power)));
                let is_inside = |value: &f64| (self.low..=self.high).contains(&value.log10());
                values.filter(is_inside).map(|value| (value, number(value))).collect()
            }
            Scale::Linear => {
                let step = step(self.high - self.low);
                let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
                (first..=last).map(|i| i as f64 * step).map(|value| (value, number(value))).collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that a range has at most eight steps.
fn step(range: f64) -> f64 {
    let rough = range / 8.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough).unwrap_or(10.0);
    factor * power
}

/// A short form: `200k`, `1.6M`, `0.05`.
fn number(value: f64) -> String {
    let (value, unit) = match value.abs() {
        size if size >= 1e6 => (value / 1e6, "M"),
        size if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let text = if text == "-0" { "0" } else { text };
    format!("{text}{unit}").replace('-', "−")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Estimate, Interval};

    fn names(axis: &Axis, values: &[f64]) -> Vec<String> {
        let ruler = Ruler::new(axis, values.iter().copied(), (0.0, 100.0));
        ruler.ticks().into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        assert_eq!(names(&Axis::linear(""), &[0.0, 1.0]), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(names(&Axis::linear(""), &[-3.0, 3.0]), ["−3", "−2", "−1", "0", "1", "2", "3"]);
        assert_eq!(
            names(&Axis::linear(""), &[1e5, 7e5]),
            ["100k", "200k", "300k", "400k", "500k", "600k", "700k"]
        );
        assert_eq!(names(&Axis::log(""), &[500.0, 16e3]), ["500", "1000", "2000", "5000", "10k"]);
        assert_eq!(names(&Axis::log(""), &[0.0, 10.0, 1e6]), ["10", "100", "1000", "10k", "100k", "1M"]);
        assert_eq!(names(&Axis::named("", &["a", "b"]), &[]), ["a", "b"]);
        assert_eq!(names(&Axis::linear("").showing(0.0), &[10.0]).first().map(String::as_str), Some("0"));
    }

    #[test]
    fn long_footers_are_wrapped_and_long_names_turned() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a-very-long-word b", 4), ["a-very-long-word", "b"]);
        let plot = |names: &[&str]| {
            let marks = (0..names.len()).map(|i| Mark::sure(i as f64, 1.0)).collect();
            let series = vec![Series::new("ours", 0, marks)];
            Plot::new("n", "t", Axis::named("x", names), Axis::linear("y"), series).to_svg("footer")
        };
        // One turned text is the label of the y axis.
        assert_eq!(plot(&["short", "names"]).matches("rotate(").count(), 1);
        assert_eq!(plot(&["quite-a-long-name"; 9]).matches("rotate(").count(), 10);
    }

    /// Class and shape of the mark of each series, wherever it lies.
    fn looks(series: usize) -> Vec<(String, String)> {
        let series = (0..series).map(|hue| Series::new("s", hue, vec![Mark::sure(0.0, 0.0)])).collect();
        let svg = Plot::new("n", "t", Axis::linear("x"), Axis::linear("y"), series).to_svg("footer");
        // Marks of the legend come first; those of the field follow a line of the axis.
        let field = svg.split("rotate(-90").nth(1).unwrap();
        let field = field.split("class=\"m ").skip(1);
        let part = |mark: &str| {
            let class = mark.split('"').next().unwrap().to_owned();
            let points = mark.split("points=\"").nth(1).map_or("", |rest| rest.split('"').next().unwrap());
            let corners: Vec<Vec<f64>> = points
                .split_whitespace()
                .map(|corner| corner.split(',').map(|number| number.parse().unwrap()).collect())
                .collect();
            let from_first = |corner: &Vec<f64>| {
                format!("{:.0} {:.0}", corner[0] - corners[0][0], corner[1] - corners[0][1])
            };
            (class, corners.iter().map(from_first).collect::<Vec<_>>().join(","))
        };
        field.map(part).collect()
    }

    #[test]
    fn no_two_series_look_alike() {
        let distinct = |values: Vec<String>| {
            let all: std::collections::BTreeSet<&String> = values.iter().collect();
            all.len()
        };
        let few = looks(12);
        assert_eq!(distinct(few.iter().map(|(class, _)| class.clone()).collect()), 12, "colours: {few:?}");
        assert_eq!(distinct(few.iter().map(|(_, shape)| shape.clone()).collect()), 12, "marks: {few:?}");
        let many = looks(40);
        assert_eq!(many.len(), 40);
        assert_eq!(distinct(many.iter().map(|(class, shape)| format!("{class} {shape}")).collect()), 40);
    }

    #[test]
    fn every_mark_lies_inside_and_text_is_escaped() {
        let marks = |shift: f64| {
            let interval = |y: f64| Interval { low: y - 1.0, high: y + 2.0 };
            (1..5)
                .map(f64::from)
                .map(|x| {
                    let value = x * x + shift;
                    Mark::estimate(1e3 * x, Estimate { value, interval: Some(interval(value)) })
                })
                .collect()
        };
        let series = vec![
            Series::new("a < b & c", 0, marks(0.0)),
            Series::paper("paper", 0, marks(3.0)),
            Series::new("third", 2, vec![Mark::sure(0.0, 1.0), Mark::sure(9e3, f64::NAN)]),
        ];
        let plot = Plot::new("n", "T \"1\"", Axis::log("x"), Axis::linear("y"), series);
        let svg = plot.to_svg("footer");
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("T &quot;1&quot;"));
        // Two lines, two times four marks and one in the legend, nothing of the third but its legend.
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 2 * 5);
        assert_eq!(svg.matches("<polygon").count(), 1);
        for part in svg.split("cx=\"").skip(1) {
            let x: f64 = part.split('"').next().unwrap().parse().unwrap();
            assert!((LEFT..=RIGHT).contains(&x), "{x}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
