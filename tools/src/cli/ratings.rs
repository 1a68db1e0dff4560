//! The command `ratings`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use sakmak_games::pgn::{PgnReader, PgnResult, PgnWarning};
use sakmak_matches::statistics::{
    Multinomial, RatingError, RatingList, RatingPool, RatingSettings, Trinomial, Wdl,
};

use super::args::not_negative;
use super::stdout::{print, print_json, warn};

/// Rate players by the games between them
///
/// The ratings are those of maximum likelihood, a draw counting as half a win, with the advantage of White. Without
/// --anchor their mean is --average.
#[derive(Args)]
#[command(after_help = "Examples:\n  sakmak-tools ratings pool/*.pgn --anchor \"FSF 11.1=2400\"\n  \
    sakmak-tools ratings match.pgn --format csv --pairings\n\n\
    Games without a result are left out; broken ones, and games with two different results, are reported on standard \
    error. The exit status is 0 if all games \
    were read, 1 if some were broken and 2 if there are no ratings. docs/ratings.md has the method.")]
pub(crate) struct Ratings {
    /// Files in PGN; - means standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A player whose rating is given; repeatable
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = anchor)]
    anchors: Vec<(String, f64)>,
    /// The mean of the ratings without an anchor
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true, value_parser = finite, conflicts_with = "anchors")]
    average: f64,
    /// The advantage of White [default: estimated from the games]
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, value_parser = finite)]
    white_advantage: Option<f64>,
    /// Drawn games added to each pairing, so that players that won or lost all games have a rating
    #[arg(long, value_name = "GAMES", default_value_t = 0.0, value_parser = not_negative)]
    prior: f64,
    /// Print the pairings, too, with the score expected by the ratings
    #[arg(long)]
    pairings: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// Tables in Markdown
    #[default]
    Markdown,
    /// Comma-separated values
    Csv,
    /// A JSON document; it always has the pairings
    Json,
}

fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.abs() <= 10_000.0);
    number.ok_or_else(|| "a number from -10000 to 10000 is needed".to_owned())
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    // Names may contain `=`.
    let (name, rating) = text.rsplit_once('=').ok_or("NAME=ELO is needed")?;
    Ok((name.to_owned(), finite(rating)?))
}

impl Ratings {
    /// Reads the games and prints the ratings.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut pool = RatingPool::default();
        let mut broken = 0_u64;
        for path in &self.files {
            broken += read(path, &mut pool)?;
        }
        let settings = RatingSettings {
            anchors: self.anchors.iter().cloned().collect(),
            average: self.average,
            white_advantage: self.white_advantage,
            prior: self.prior,
        };
        let list = pool.ratings(&settings).map_err(|error| match error {
            RatingError::Unbounded(_) => anyhow::Error::new(error).context("--prior 1 bounds the ratings"),
            RatingError::OneColor => anyhow::Error::new(error).context("--white-advantage 0 gives it"),
            RatingError::UnboundedAdvantage => {
                anyhow::Error::new(error).context("--white-advantage 0 gives it, and --prior 1 bounds both")
            }
            _ => error.into(),
        })?;
        match self.format {
            Format::Json => print_json(&list)?,
            Format::Markdown => print(&tables(&list, self.pairings, |cells| {
                let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', r"\|")).collect();
                format!("| {} |", cells.join(" | "))
            }))?,
            Format::Csv => print(&tables(&list, self.pairings, |cells| {
                cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",")
            }))?,
        }
        Ok(ExitCode::from(u8::from(broken > 0)))
    }
}

/// Counts the games of a file; returns how many are broken.
fn read(path: &Path, pool: &mut RatingPool) -> Result<u64> {
    let input: Box<dyn Read> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(path).with_context(|| format!("cannot read {}", path.display()))?),
    };
    let mut broken = 0;
    let mut reader = PgnReader::new(BufReader::new(input));
    while let Some(game) = reader.next() {
        report_warnings(path, &mut reader);
        match game {
            Ok(game) => {
                let result = match game.result {
                    PgnResult::WhiteWins => Wdl::Win,
                    PgnResult::Draw => Wdl::Draw,
                    PgnResult::BlackWins => Wdl::Loss,
                    PgnResult::Unknown => continue,
                };
                let name = |tag| {
                    let name = game.tags.get(tag).filter(|name| !["", "?"].contains(name))?;
                    Some(name.replace(char::is_control, "\u{FFFD}"))
                };
                match (name("White"), name("Black")) {
                    (Some(white), Some(black)) => pool.add(&white, &black, result),
                    _ => {
                        broken += 1;
                        warn(format_args!("{}: line {}: a player has no name", path.display(), game.line));
                    }
                }
            }
            Err(error) => {
                broken += 1;
                warn(format_args!("{}: {error}", path.display()));
            }
        }
    }
    report_warnings(path, &mut reader);
    Ok(broken)
}

/// Prints what was read differently from the file.
fn report_warnings(path: &Path, reader: &mut PgnReader<impl BufRead>) {
    for PgnWarning { line, kind } in reader.take_warnings() {
        warn(format_args!("{}: line {line}: warning: {kind}", path.display()));
    }
}

/// The list, a line for each player, and with `pairings` a second table after an empty line.
fn tables(list: &RatingList, pairings: bool, line: impl Fn(&[String]) -> String) -> String {
    let columns = [
        "rank",
        "player",
        "rating",
        "error",
        "superior",
        "games",
        "won",
        "drawn",
        "lost",
        "score",
        "opponents",
    ];
    let rows = list.players.iter().enumerate().map(|(at, player)| {
        let known = |number: Option<f64>, digits| {
            number.map_or_else(String::new, |number| format!("{number:.digits$}"))
        };
        let mut cells = vec![
            (at + 1).to_string(),
            player.name.clone(),
            format!("{:.0}", player.rating),
            known(player.error, 0),
            known(player.superiority.map(|share| 100.0 * share), 1),
        ];
        cells.extend(counts(player.games));
        cells.push(format!("{:.0}", player.opponents));
        cells
    });
    let mut text = table(&columns, rows, &line);
    if pairings {
        let columns = ["player", "opponent", "games", "won", "drawn", "lost", "score", "expected"];
        let rows = list.pairings.iter().map(|pairing| {
            let mut cells = vec![pairing.one.clone(), pairing.other.clone()];
            cells.extend(counts(pairing.games));
            cells.push(format!("{:.1}", 100.0 * pairing.expected));
            cells
        });
        text += "\n";
        text += &table(&columns, rows, &line);
    }
    text
}

/// Games, wins, draws, losses and the score in percent.
fn counts(games: Trinomial) -> [String; 5] {
    let score = games.score().map_or_else(String::new, |score| format!("{:.1}", 100.0 * score));
    [
        games.games().to_string(),
        games.wins.to_string(),
        games.draws.to_string(),
        games.losses.to_string(),
        score,
    ]
}

fn table(
    columns: &[&str],
    rows: impl Iterator<Item = Vec<String>>,
    line: &impl Fn(&[String]) -> String,
) -> String {
    let header: Vec<String> = columns.iter().map(|&name| name.to_owned()).collect();
    let mut text = line(&header) + "\n";
    if text.starts_with('|') {
        let rule = vec!["---".to_owned(); columns.len()];
        let _ = writeln!(text, "{}", line(&rule));
    }
    for row in rows {
        let _ = writeln!(text, "{}", line(&row));
    }
    text
}

/// A field of comma-separated values (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
