//! Losses by epoch as SVG.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 50.0;
const LINES: i32 = 5;

/// The start of the file.
pub const MARK: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" ";

/// The losses of training and held-out positions, called `name`, by epoch from `first` on. Those that are no numbers
/// are left out.
pub fn svg(name: &str, first: usize, training: &[f64], held_out: &[f64]) -> String {
    let curves = [("training", "#1f6fb4", training), ("held out", "#d1622b", held_out)];
    let epochs = training.len().max(held_out.len());
    let all = || curves.iter().flat_map(|(.., losses)| *losses).copied().filter(|loss| loss.is_finite());
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    // A flat curve still needs some height.
    let range = (high - low).max(1e-9);
    let last = epochs.saturating_sub(1).max(1) as f64;
    let x = |epoch: f64| LEFT + (WIDTH - LEFT - RIGHT) * epoch / last;
    let y = |loss: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - loss) / range;

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    for line in 0..=LINES {
        let part = f64::from(line) / f64::from(LINES);
        let (loss, epoch) = (low + range * part, (last * part).round());
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(loss) + 4.0,
            x(epoch),
            HEIGHT - BOTTOM + 20.0,
            first as f64 + epoch,
            y = y(loss),
        );
    }
    for (index, (name, color, losses)) in curves.iter().enumerate() {
        let points = losses.iter().enumerate().filter(|(_, loss)| loss.is_finite());
        let points: Vec<_> =
            points.map(|(epoch, &loss)| format!("{:.1},{:.1}", x(epoch as f64), y(loss))).collect();
        let _ = writeln!(
            out,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\" text-anchor=\"end\">{name}</text>",
            points.join(" "),
            WIDTH - RIGHT - 8.0,
            TOP + 16.0 * (index + 1) as f64,
        );
    }
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">epoch</text>\n\
         <text x=\"{LEFT}\" y=\"18\">{name}</text>\n</svg>\n",
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 10.0,
    );
    out
}
