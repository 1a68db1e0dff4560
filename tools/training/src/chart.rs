//! Line charts as SVG.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
/// Gap between curves and their names, and around the names.
const GAP: f64 = 10.0;
/// Approximate width of a letter.
const LETTER: f64 = 7.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;
const LINES: i32 = 5;

/// How the file begins.
pub const MARK: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" ";

/// Colours of the curves in turn.
const COLORS: [&str; 10] = [
    "#1f6fb4", "#d1622b", "#2e8b57", "#8a4fb0", "#b03a48", "#7a6a2f", "#2a9d9d", "#c2559b", "#555555",
    "#9aa800",
];

/// A curve of a chart.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, from left to right. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

/// A line chart with the names of the axes. The names of the curves stand to the right of them.
pub fn svg(x_name: &str, y_name: &str, curves: &[Curve]) -> String {
    let all = || curves.iter().flat_map(|curve| &curve.points).filter(|(_, y)| y.is_finite());
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = all().map(of).fold(f64::INFINITY, f64::min);
        let high = all().map(of).fold(f64::NEG_INFINITY, f64::max);
        // A flat curve still needs some height.
        (low, (high - low).max(1e-9))
    };
    let ((left, width), (low, height)) = (range(|point| point.0), range(|point| point.1));
    let decimals = if height < 0.5 { 5 } else { 2 };
    let longest_name = curves.iter().map(|curve| curve.name.chars().count()).max().unwrap_or(0);
    let right = WIDTH - LETTER * longest_name as f64 - 2.0 * GAP;
    let at_x = |x: f64| LEFT + (right - LEFT) * (x - left) / width;
    let at_y = |y: f64| TOP + (HEIGHT - TOP - BOTTOM) * (low + height - y) / height;

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for line in 0..=LINES {
        let part = f64::from(line) / f64::from(LINES);
        let (x, y) = ((left + width * part).round(), low + height * part);
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{y:.decimals$}</text>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}</text>",
            right,
            LEFT - 8.0,
            at_y(y) + 4.0,
            at_x(x),
            HEIGHT - BOTTOM + 20.0,
            at = at_y(y),
        );
    }
    for (number, curve) in curves.iter().enumerate() {
        let color = COLORS[number % COLORS.len()];
        let points: Vec<_> = curve
            .points
            .iter()
            .filter(|(_, y)| y.is_finite())
            .map(|&(x, y)| format!("{:.1},{:.1}", at_x(x), at_y(y)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{}</text>",
            points.join(" "),
            right + GAP,
            TOP + 16.0 * (number + 1) as f64,
            curve.name,
        );
    }
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x_name}</text>\n\
         <text x=\"{LEFT}\" y=\"18\">{y_name}</text>\n</svg>\n",
        f64::midpoint(LEFT, right),
        HEIGHT - 10.0,
    );
    out
}
