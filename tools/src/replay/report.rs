//! The summary of a replay, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use sakmak_files::games::{BrokenGame, UnreadableFile};

/// All numbers of a replay, with the fields of the JSON document.
#[derive(Debug, Serialize)]
pub struct ReplayReport {
    pub(super) ruleset: &'static str,
    /// How many games there were.
    pub games: GameCounts,
    pub(super) variants: BTreeMap<&'static str, u64>,
    pub(super) plies: u64,
    pub(super) seconds: f64,
    pub(super) games_per_second: f64,
    pub(super) results: BTreeMap<String, u64>,
    pub(super) outcomes: Vec<OutcomeCount>,
    pub(super) played_on_after_a_draw: u64,
    pub(super) comparison: Comparison,
    pub(super) contradiction_kinds: Vec<ContradictionKind>,
    pub(super) openings: Vec<OpeningCount>,
    pub(super) lengths: Option<Lengths>,
    pub(super) endings_by_count: Vec<CountResults>,
    pub(super) broken_games: Vec<BrokenGame>,
    pub(super) contradictions: Vec<Contradiction>,
    /// Files that could not be read to their end.
    pub unreadable_files: Vec<UnreadableFile>,
}

/// Numbers of games.
#[derive(Debug, Serialize)]
pub struct GameCounts {
    /// In the files.
    pub read: u64,
    /// All of whose moves are legal.
    pub replayed: u64,
    /// That could not be read or replayed.
    pub broken: u64,
    /// Of another variant than the one given.
    pub skipped: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct OutcomeCount {
    pub(super) outcome: String,
    pub(super) games: u64,
}

/// Number of games by how the result in the file compares with the outcome by the rules.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Comparison {
    pub(super) agrees: u64,
    pub(super) decided_while_it_goes_on: u64,
    pub(super) draw_agreed: u64,
    pub(super) contradicts: u64,
    pub(super) unfinished: u64,
    pub(super) unfinished_but_over: u64,
}

/// A game whose result contradicts the rules.
#[derive(Debug, Serialize)]
pub(super) struct Contradiction {
    pub(super) file: String,
    pub(super) game: u64,
    pub(super) line: u64,
    /// The result in the file.
    pub(super) result: String,
    /// The outcome by the rules.
    pub(super) rules: String,
    /// Plies after which the rules gave that outcome.
    pub(super) after_plies: u64,
    /// Plies of the record.
    pub(super) plies: u64,
    /// Where the record ends: `there`, or how it went on.
    pub(super) record_ends: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ContradictionKind {
    pub(super) rules: String,
    pub(super) result: String,
    pub(super) record_ends: String,
    pub(super) games: u64,
}

/// Number of games that begin with the same moves from the start position.
#[derive(Debug, Serialize)]
pub(super) struct OpeningCount {
    pub(super) moves: String,
    /// Set if the games are of several variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) variant: Option<&'static str>,
    pub(super) games: u64,
}

/// Game lengths in plies.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Lengths {
    pub(super) shortest: u32,
    pub(super) median: u32,
    pub(super) longest: u32,
}

/// How games in which a count ran ended by the rules.
#[derive(Debug, Serialize)]
pub(super) struct CountResults {
    pub(super) count: &'static str,
    /// The limit in moves; `None` is the total, in which a game with several limits counts once.
    pub(super) limit: Option<u16>,
    pub(super) games: u64,
    pub(super) mates: u64,
    pub(super) draws_by_the_count: u64,
    pub(super) otherwise: u64,
}

/// A row of a text table: name and numbers.
type ReportRow = (String, Vec<String>);

impl ReplayReport {
    /// The report as text; `verbose` lists every contradiction.
    pub fn text(&self, verbose: bool) -> String {
        let mut out = String::new();
        let GameCounts { read, replayed, broken, skipped } = self.games;
        let single = |name: &str, number: u64| (name.to_owned(), vec![grouped(number)]);
        let mut rows = vec![single("games in the files", read), single("replayed", replayed)];
        if self.variants.len() > 1 {
            rows.extend(self.variants.iter().map(|(name, &games)| single(&format!("  {name}"), games)));
        }
        rows.extend([
            single("broken", broken),
            single("skipped, of another variant", skipped),
            single("plies", self.plies),
            ("seconds".to_owned(), vec![format!("{:.2}", self.seconds)]),
            single("games per second", self.games_per_second as u64),
        ]);
        table(&mut out, "Replay", &[""], &rows);
        if !self.unreadable_files.is_empty() {
            let rows =
                self.unreadable_files.iter().map(|file| (format!("{}: {}", file.file, file.reason), vec![]));
            table(&mut out, "Files that could not be read", &[], &rows.collect::<Vec<_>>());
        }
        if replayed > 0 {
            self.describe_games(&mut out, verbose);
        }
        // No blank line after the last text table.
        out.pop();
        out
    }

    /// Writes the text tables about the replayed games.
    fn describe_games(&self, out: &mut String, verbose: bool) {
        let single = |name: &str, number: u64| (name.to_owned(), vec![grouped(number)]);
        let of_games = |name: &str, number: u64| {
            (name.to_owned(), vec![grouped(number), percent(number, self.games.replayed)])
        };

        let rows: Vec<_> = self.results.iter().map(|(result, &games)| of_games(result, games)).collect();
        table(out, "Results in the files", &["games", "%"], &rows);

        let mut rows: Vec<_> = self.outcomes.iter().map(|row| of_games(&row.outcome, row.games)).collect();
        rows.push(of_games("(played on after a draw)", self.played_on_after_a_draw));
        table(out, &format!("Outcome by the rules ({})", self.ruleset), &["games", "%"], &rows);

        let Comparison {
            agrees,
            decided_while_it_goes_on,
            draw_agreed,
            contradicts,
            unfinished,
            unfinished_but_over,
        } = self.comparison;
        let rows = [
            of_games("agrees", agrees),
            of_games("decided while the game goes on (resignation, time)", decided_while_it_goes_on),
            of_games("draw while the game goes on (agreement)", draw_agreed),
            of_games("contradicts the rules", contradicts),
            of_games("unfinished (*)", unfinished),
            of_games("unfinished (*), over by the rules", unfinished_but_over),
        ];
        table(out, "Result against rules", &["games", "%"], &rows);

        let kinds = self.contradiction_kinds.iter().map(|kind| {
            let ends = if kind.record_ends == "there" { "" } else { &kind.record_ends };
            let text = format!("rules: {}; file: {}", kind.rules, kind.result);
            single(&if ends.is_empty() { text } else { format!("{text}; {ends}") }, kind.games)
        });
        table(out, "Contradictions by kind", &["games"], &kinds.collect::<Vec<_>>());
        if verbose {
            let rows = self.contradictions.iter().map(|found| (found.text(), vec![]));
            table(out, "Contradictions", &[], &rows.collect::<Vec<_>>());
        }

        let openings = self.openings.iter().map(|opening| {
            let variant = opening.variant.map(|name| format!(" ({name})")).unwrap_or_default();
            of_games(&format!("{}{variant}", opening.moves), opening.games)
        });
        table(out, "Most frequent openings", &["games", "%"], &openings.collect::<Vec<_>>());

        if let Some(Lengths { shortest, median, longest }) = self.lengths {
            let row = |name, plies: u32| single(name, plies.into());
            let rows = [row("shortest", shortest), row("median", median), row("longest", longest)];
            table(out, "Lengths", &["plies"], &rows);
        }

        let endings = self.endings_by_count.iter().map(|row| {
            let name = match row.limit {
                None => row.count.to_owned(),
                Some(limit) => format!("  to {limit}"),
            };
            let numbers = [row.games, row.mates, row.draws_by_the_count, row.otherwise];
            (name, numbers.map(grouped).to_vec())
        });
        let heads = ["games", "mate", "draw by it", "otherwise"];
        table(out, "Endings by count, by the limit in moves", &heads, &endings.collect::<Vec<_>>());
    }
}

impl Contradiction {
    fn text(&self) -> String {
        let Self { file, game, line, result, rules, after_plies, plies, record_ends } = self;
        let mut text = format!("{file}: game {game}, line {line}: file {result}, rules {rules}");
        if record_ends != "there" {
            let _ = write!(text, " after {after_plies} of {plies} plies, {record_ends}");
        }
        text
    }
}

/// Writes a text table: title, column heads, rows. Without rows nothing is written.
fn table(out: &mut String, title: &str, heads: &[&str], rows: &[ReportRow]) {
    if rows.is_empty() {
        return;
    }
    let wide = |text: &str| text.chars().count();
    let first = rows.iter().map(|(name, _)| 2 + wide(name)).chain([wide(title)]).max().unwrap_or_default();
    let columns: Vec<usize> = (0..heads.len())
        .map(|at| {
            let cells = rows.iter().filter_map(|(_, cells)| cells.get(at)).map(|cell| wide(cell));
            cells.chain([wide(heads[at])]).max().unwrap_or_default()
        })
        .collect();
    let mut line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut text = format!("{name:<first$}");
        for (cell, width) in cells.zip(&columns) {
            let _ = write!(text, "  {cell:>width$}");
        }
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line(title, &mut heads.iter().copied());
    for (name, cells) in rows {
        line(&format!("  {name}"), &mut cells.iter().map(String::as_str));
    }
    out.push('\n');
}

/// A number with thousands separated by commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([percent(1, 3), percent(0, 0)], ["33.3", "0.0"]);
    }

    #[test]
    fn columns_are_aligned() {
        let mut out = String::new();
        let rows = [("a".to_owned(), vec!["1".to_owned()]), ("longer".to_owned(), vec!["1,000".to_owned()])];
        table(&mut out, "Title", &["n"], &rows);
        table(&mut out, "Nothing", &["n"], &[]);
        assert_eq!(out, "Title         n\n  a           1\n  longer  1,000\n\n");
    }
}
