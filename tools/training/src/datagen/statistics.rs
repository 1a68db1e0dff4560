//! Statistics of games and positions in files.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sakmak_engine::score::is_mate;
use sakmak_eval::Centipawns;
use sakmak_eval::tablebase::Ending;
use sakmak_movegen::{Color, Game};

use sakmak_dataset::games::{
    DataError, EndReason, Filter, GameRecord, GameResult, Import, Reader, Run, Sample, centipawns,
    end_by_rules, play,
};

/// Upper bounds of the score ranges for the side to move, mates excluded, in centipawns.
const SCORES: [i32; 12] = [-1000, -600, -400, -250, -150, -50, 50, 150, 250, 400, 600, 1000];
/// Lower bounds of the ranges of the number of pieces.
const PIECES: [u32; 7] = [30, 25, 20, 15, 10, 6, 2];

/// Statistics of games and positions; its `Display` is a report.
#[derive(Default)]
pub struct DataStatistics {
    filter: Filter,
    runs: Vec<Run>,
    imports: Vec<Import>,
    bytes: u64,
    games: u64,
    results: [u64; 3],
    reasons: [u64; EndReason::ALL.len()],
    /// Number of games by length in plies.
    lengths: Vec<u64>,
    all_positions: u64,
    positions: u64,
    quiet: u64,
    in_check: u64,
    counting: u64,
    bare: u64,
    /// Positions by score range (first getting mated, last mating), each by loss, draw and win.
    scores: [[u64; 3]; SCORES.len() + 3],
    pieces: [u64; PIECES.len()],
    distinct: DuplicateEstimate,
}

impl DataStatistics {
    /// Empty statistics that will count only the positions that pass the filter.
    pub fn new(filter: Filter) -> Self {
        Self { filter, ..Self::default() }
    }

    /// Adds a file; with `check` each game is compared with the rules. `warn` is called for an incomplete last game.
    ///
    /// # Errors
    /// If the file cannot be read, or a game is damaged or contradicts the rules.
    pub fn add_file(
        &mut self,
        path: &Path,
        check: bool,
        warn: &mut dyn FnMut(&Path, &DataError),
    ) -> Result<()> {
        let name = || path.display().to_string();
        let mut reader = Reader::open(path).with_context(name)?;
        self.runs.extend(reader.header().runs.iter().cloned());
        self.imports.extend(reader.header().imports.iter().cloned());
        while let Some(game) = reader.next() {
            match game {
                Ok(game) => {
                    if check {
                        check_rules(&game)
                            .with_context(|| format!("{}: game {}", path.display(), reader.games()))?;
                    }
                    self.add(&game);
                }
                Err(error) if error.is_cut() => warn(path, &error),
                Err(error) => return Err(error).with_context(name),
            }
        }
        self.bytes += reader.offset();
        Ok(())
    }

    fn add(&mut self, game: &GameRecord) {
        let plies = game.plies.len();
        self.games += 1;
        self.results[game.result as usize] += 1;
        self.reasons[game.reason as usize] += 1;
        self.all_positions += plies as u64;
        if self.lengths.len() <= plies {
            self.lengths.resize(plies + 1, 0);
        }
        self.lengths[plies] += 1;
        let filter = self.filter;
        for sample in game.positions(&filter) {
            self.add_position(&sample);
        }
    }

    fn add_position(&mut self, sample: &Sample) {
        let position = &sample.position;
        self.positions += 1;
        self.quiet += u64::from(!position.is_noisy(sample.mv));
        self.in_check += u64::from(position.in_check());
        self.counting += u64::from(position.count().is_running());
        self.bare += u64::from(Color::ALL.into_iter().any(|color| position.is_bare(color)));
        let range = match sample.score {
            score if !is_mate(score) => {
                let score = Centipawns::from_internal(score).0;
                1 + SCORES.partition_point(|&most| most < score)
            }
            ..0 => 0,
            _ => SCORES.len() + 2,
        };
        self.scores[range][(2.0 * sample.points()) as usize] += 1;
        let pieces = position.occupied().len();
        self.pieces[PIECES.iter().position(|&least| least <= pieces).unwrap_or(PIECES.len() - 1)] += 1;
        self.distinct.add(position.key());
    }

    /// The length in plies that the share `share` of the games does not exceed.
    fn quantile(&self, share: f64) -> usize {
        let needed = (share * self.games as f64).ceil().max(1.0) as u64;
        let mut sum = 0;
        let reached = self.lengths.iter().position(|&games| {
            sum += games;
            sum >= needed
        });
        reached.unwrap_or_default()
    }
}

/// Checks that a game stops when the rules end it, with the recorded result and reason.
fn check_rules(record: &GameRecord) -> Result<()> {
    let game = Game::from_fen(&record.start.to_string(), *record.start.rules());
    let mut game = game.context("its start")?;
    for (ply, &sakmak_dataset::games::Ply { mv, .. }) in record.plies.iter().enumerate() {
        ensure!(end_by_rules(&game).is_none(), "goes on after its end at ply {ply}");
        play(&mut game, mv, record.result).with_context(|| format!("ply {}", ply + 1))?;
    }
    let by_rules = end_by_rules(&game);
    let agrees = match by_rules {
        Some(end) => end == (record.result, record.reason),
        // Another program decided the end.
        None if record.reason == EndReason::Imported => true,
        None if record.reason == EndReason::MateScore => record.result != GameResult::Draw,
        // The result is the tablebase's, which is not available here.
        None if record.reason == EndReason::Tablebase => Ending::from_position(game.position()).is_some(),
        None => record.reason.is_adjudication() && record.result == GameResult::Draw,
    };
    let words = |(result, reason): (GameResult, EndReason)| format!("{result} ({})", reason.name());
    ensure!(
        agrees,
        "ends with {}, by the rules with {}",
        words((record.result, record.reason)),
        by_rules.map_or("no end".to_owned(), words)
    );
    Ok(())
}

/// Estimates the share of repeated positions in little memory: of many positions it counts only those whose keys end
/// with `zeros` zero bits, a random sample of all possible positions.
#[derive(Default)]
struct DuplicateEstimate {
    /// Number of occurrences of each key of the sample.
    seen: HashMap<u64, u32>,
    /// Minimum of trailing zero bits of a key in the sample.
    zeros: u32,
}

/// Maximum number of keys in the sample.
const MAX_KEYS: usize = 1 << 22;

impl DuplicateEstimate {
    fn add(&mut self, key: u64) {
        if key.trailing_zeros() < self.zeros {
            return;
        }
        *self.seen.entry(key).or_default() += 1;
        while self.seen.len() > MAX_KEYS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.seen.retain(|key, _| key.trailing_zeros() >= zeros);
        }
    }

    /// The share of positions that had occurred before.
    fn repeated(&self) -> f64 {
        let occurrences: u64 = self.seen.values().map(|&n| u64::from(n)).sum();
        1.0 - self.seen.len() as f64 / occurrences.max(1) as f64
    }
}

/// `part` of `whole` in percent.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl Display for DataStatistics {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for run in &self.runs {
            write!(
                f,
                "run: {} (bench {}), seed {}, {} nodes, {} random plies, openings within {} cp",
                run.engine,
                run.signature,
                run.seed,
                run.nodes,
                run.random_plies,
                centipawns(run.max_opening)
            )?;
            match run.tablebases.len() {
                0 => writeln!(f)?,
                tables => writeln!(f, ", {tables} endgame tables")?,
            }
        }
        for Import { file, crc32, scale } in &self.imports {
            writeln!(f, "import: {file} (CRC-32 {crc32:08x}), a pawn is {} cp", centipawns(*scale))?;
        }
        let all = self.all_positions;
        writeln!(f, "games: {}", self.games)?;
        writeln!(f, "positions: {all}, {:.2} bytes each", self.bytes as f64 / all.max(1) as f64)?;
        if self.filter != Filter::ALL {
            writeln!(f, "after the filter: {} ({:.1}%)", self.positions, percent(self.positions, all))?;
        }
        let [white, draws, black] = self.results.map(|games| percent(games, self.games));
        writeln!(f, "results: White won {white:.1}%, drawn {draws:.1}%, Black won {black:.1}%")?;
        writeln!(f, "ends:")?;
        for (reason, &games) in EndReason::ALL.iter().zip(&self.reasons).filter(|(_, games)| **games > 0) {
            writeln!(f, "  {:<15} {games:>9} {:>5.1}%", reason.name(), percent(games, self.games))?;
        }
        let plies = [0.0, 0.1, 0.5, 0.9, 1.0].map(|share| self.quantile(share));
        let mean = all as f64 / self.games.max(1) as f64;
        writeln!(f, "plies: mean {mean:.1}; shortest, 10%, half, 90%, longest {plies:?}")?;

        let of_all = |part| percent(part, self.positions);
        writeln!(
            f,
            "quiet {:.1}%, in check {:.1}%, counting {:.1}%, bare khun {:.1}%",
            of_all(self.quiet),
            of_all(self.in_check),
            of_all(self.counting),
            of_all(self.bare)
        )?;
        writeln!(f, "occurred before: {:.2}%", 100.0 * self.distinct.repeated())?;
        writeln!(f, "pieces on the board:")?;
        let mut most = 32;
        for (&least, &positions) in PIECES.iter().zip(&self.pieces) {
            writeln!(f, "  {:<15} {positions:>9} {:>5.1}%", format!("{least}..{most}"), of_all(positions))?;
            most = least - 1;
        }
        writeln!(f, "score for the side to move, what it won, drew and lost:")?;
        for (range, counts) in self.scores.iter().enumerate() {
            let sum = counts.iter().sum();
            let [lost, drawn, won] = counts.map(|positions| percent(positions, sum));
            writeln!(
                f,
                "  {:<15} {sum:>9} {:>5.1}%  {won:>5.1}% {drawn:>5.1}% {lost:>5.1}%",
                range_name(range),
                of_all(sum)
            )?;
        }
        Ok(())
    }
}

/// The name of a score range.
fn range_name(range: usize) -> String {
    match range {
        0 => "mated".to_owned(),
        1 => format!("..{}", SCORES[0]),
        n if n <= SCORES.len() => format!("{}..{}", SCORES[n - 2] + 1, SCORES[n - 1]),
        n if n == SCORES.len() + 1 => format!("{}..", SCORES[n - 2] + 1),
        _ => "mates".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_names() {
        let names: Vec<_> = (0..SCORES.len() + 3).map(range_name).collect();
        assert_eq!(names[..3], ["mated", "..-1000", "-999..-600"]);
        assert_eq!(names[7..9], ["-49..50", "51..150"]);
        assert_eq!(names[12..], ["601..1000", "1001..", "mates"]);
    }

    #[test]
    fn repeated_positions_are_noticed() {
        let mut distinct = DuplicateEstimate::default();
        for key in 0..1000_u64 {
            distinct.add(key % 250);
        }
        assert_eq!(distinct.repeated(), 0.75);
    }
}
