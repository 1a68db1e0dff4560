//! Imports games of other programs with scores in the comments: PGN of Cute Chess, OpenBench and `sakmak-tools match`.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use sakmak_dataset::games::{
    EndReason, GameRecord, GameResult, Header, Import, Ply, Writer, end_by_rules, is_dead, play,
};
use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, ReadSummary};
use sakmak_files::output::{Draft, OutputFile};
use sakmak_games::pgn::{PgnGame, PgnMove, PgnResult};
use sakmak_games::{GameStart, ReadOptions};
use sakmak_movegen::{Game, Move, Rules};

use super::scores::score_of;

/// PGN files to import as training games.
pub struct ImportJob<'a> {
    /// The rules of all games: moves must be legal by them, and no game may go on after its end.
    pub rules: Rules,
    /// The PGN files.
    pub files: &'a [PathBuf],
    /// The output file, which must be new.
    pub output: &'a Path,
    /// Internal units of a score of +1.00 in the files.
    pub scale: u32,
}

/// Summary of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// Games written.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// Games left out because the result does not follow from the play: unfinished, lost on time, abandoned.
    pub without_result: u64,
    /// Games left out because no move has a score.
    pub without_scores: u64,
    /// Broken games, games of another variant, and unreadable files.
    pub read: ReadSummary,
}

impl ImportJob<'_> {
    /// Writes the games to a new file, which appears when it is complete. `monitor` gets every broken game.
    ///
    /// # Errors
    /// If a file cannot be opened, or the new one cannot be written.
    pub fn run(&self, monitor: &mut dyn ReadMonitor) -> Result<ImportSummary> {
        let imports = self.files.iter().map(|path| self.import(path)).collect::<Result<_, _>>()?;
        let header = Header { rules: self.rules, runs: Vec::new(), imports };
        let draft = OutputFile::create(self.output)?.draft()?;
        let name = || self.output.display().to_string();
        let writer = Writer::new(BufWriter::new(draft), &header).with_context(name)?;
        let mut importer = Importer {
            writer,
            rules: self.rules,
            output: self.output,
            scale: self.scale,
            plies: Vec::new(),
            summary: ImportSummary::default(),
        };
        let options = ReadOptions {
            variant: Some(self.rules.play.variant),
            ruleset: self.rules.setup.ruleset,
            main_line_only: true,
            ..ReadOptions::default()
        };
        let read = GameFiles { paths: self.files, options }.read(&mut importer, monitor)?;
        let Importer { writer, summary, .. } = importer;
        let draft = writer.finish().and_then(|output| Ok(output.into_inner()?)).with_context(name)?;
        draft.commit()?;
        Ok(ImportSummary { read, ..summary })
    }

    fn import(&self, path: &Path) -> Result<Import> {
        let mut sum = Checksum(crc32fast::Hasher::new());
        let copied = File::open(path).and_then(|mut file| io::copy(&mut file, &mut sum));
        copied.with_context(|| path.display().to_string())?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        let file = name.to_string_lossy().into_owned();
        Ok(Import { file, crc32: sum.0.finalize(), scale: self.scale })
    }
}

/// A writer that computes the CRC-32 of its input.
struct Checksum(crc32fast::Hasher);

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Converts the games as they are read.
struct Importer<'a> {
    writer: Writer<BufWriter<Draft>>,
    rules: Rules,
    output: &'a Path,
    scale: u32,
    /// The moves of the game so far, each with its score if there is one.
    plies: Vec<(Move, Option<i16>)>,
    summary: ImportSummary,
}

impl GameVisitor for Importer<'_> {
    type Error = Error;

    fn visit_move(&mut self, game: &Game, mv: Move, record: &mut PgnMove, _depth: usize) {
        if game.is_empty() {
            self.plies.clear();
        }
        let score = record.comments.iter().find_map(|comment| score_of(comment, self.scale));
        self.plies.push((mv, score));
    }

    fn finish(&mut self, file: &str, pgn: PgnGame, start: GameStart) -> Result<Option<BrokenGame>> {
        let plies = if start.game.is_empty() { Vec::new() } else { std::mem::take(&mut self.plies) };
        let result = match pgn.result {
            PgnResult::WhiteWins => GameResult::WhiteWins,
            PgnResult::BlackWins => GameResult::BlackWins,
            PgnResult::Draw => GameResult::Draw,
            PgnResult::Unknown => {
                self.summary.without_result += 1;
                return Ok(None);
            }
        };
        if pgn.tags.get("Termination").is_some_and(ends_by_no_chess) {
            self.summary.without_result += 1;
            return Ok(None);
        }
        // Book moves have no score; the imported game begins after them.
        let Some(book) = plies.iter().position(|(_, score)| score.is_some()) else {
            self.summary.without_scores += 1;
            return Ok(None);
        };
        let record = match game_record(self.rules, &start.game, &plies, book, result) {
            Ok(record) => record,
            Err(reason) => {
                return Ok(Some(BrokenGame::new(file, pgn.number, pgn.line, pgn.line, &*reason)));
            }
        };
        self.writer.write(&record).with_context(|| self.output.display().to_string())?;
        self.summary.games += 1;
        self.summary.positions += record.plies.len() as u64;
        Ok(None)
    }
}

/// The game after its book moves, replayed by the rules.
fn game_record(
    rules: Rules,
    played: &Game,
    plies: &[(Move, Option<i16>)],
    book: usize,
    result: GameResult,
) -> Result<GameRecord> {
    ensure!(plies.len() - book <= usize::from(u16::MAX), "the game has more than 65,535 plies");
    let mut start = played.start().clone();
    for &(mv, _) in &plies[..book] {
        start.play_unchecked(mv);
    }
    // From the FEN, as a reader will set it up: repetitions do not reach back to the book moves.
    let unfit = |reason: &dyn Display| anyhow!("the position after the book cannot be set up: {reason}");
    let mut game = Game::from_fen(&start.to_string(), rules).map_err(|error| unfit(&error))?;
    let start = game.position().clone();
    let mut record = GameRecord { start, result, reason: EndReason::Imported, plies: Vec::new() };
    for (ply, &(mv, score)) in plies.iter().enumerate().skip(book) {
        if let Some(outcome) = game.outcome() {
            bail!("the game goes on after its end by the rules at ply {ply}: {outcome}");
        }
        if is_dead(game.position()) {
            break;
        }
        let score = score.with_context(|| format!("ply {} has no score", ply + 1))?;
        play(&mut game, mv, result).map_err(|error| unfit(&error))?;
        record.plies.push(Ply { mv, score });
    }
    // As in self-play, dead positions end the game at once.
    if let Some((by_rules, reason)) = end_by_rules(&game) {
        ensure!(by_rules == result, "the result is {result}, by the rules {by_rules}");
        record.reason = reason;
    }
    Ok(record)
}

/// Whether a value of the tag Termination stands for an end by something other than the play.
fn ends_by_no_chess(termination: &str) -> bool {
    let termination = termination.to_ascii_lowercase();
    let reasons = "time|abandoned|illegal|stalled|unterminated|disconnect|emergency|rules infraction";
    reasons.split('|').any(|reason| termination.contains(reason))
}
