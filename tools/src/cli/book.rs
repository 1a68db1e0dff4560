//! The command `book`.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use sakmak_book::build::{BuildJob, BuildProgress};
use sakmak_book::check::{Checked, check};
use sakmak_book::export::{epd, shown};
use sakmak_book::games::GameMoves;
use sakmak_book::search::{Header, SearchFile};
use sakmak_book::settings::{SearchSettings, TreeSettings};
use sakmak_engine::bench;
use sakmak_engine::book::{Book, BookMove, encode};
use sakmak_files::output::OutputFile;
use sakmak_movegen::{Game, Rules, Variant};

use super::args::{thread_count, whole};
use super::progress::{self, LineTimer};
use super::stdout::{print, warn, write_or_print};

/// Build, check, show and export opening books
#[derive(Args)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(BuildArgs),
    Check(CheckArgs),
    Info(InfoArgs),
    Export(ExportArgs),
}

impl BookArgs {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        match &self.command {
            Command::Build(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Info(args) => args.run(),
            Command::Export(args) => args.run(),
        }
    }
}

/// Depth of the bench that identifies the engine in a header.
const SIGNATURE_DEPTH: u32 = 6;
const SIGNATURE_HASH_MB: usize = 4;
/// How the file of a book begins.
const MARK: &str = "SAKMAKOB";

/// Build a book from games and searches
///
/// Counts the moves of the games from the start position, joined by transposition, and searches the most important
/// positions. Scores are minimax over the searched positions. The searches are kept in a file: a run that was killed goes
/// on with the same command, and one with more positions or other games uses them. The book depends on the options but not
/// on the number of threads.
#[derive(Args)]
struct BuildArgs {
    /// Data files of `datagen`, PGN files or score sheets
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File of searches, continued if it exists
    #[arg(long, value_name = "FILE")]
    searches: PathBuf,
    /// Search the POSITIONS most important positions
    #[arg(long, value_name = "POSITIONS", default_value_t = 1_000, value_parser = whole::<usize>(..))]
    search: usize,
    /// Nodes of each search; a fifth of them are looked at before with several lines
    #[arg(long, default_value_t = 100_000, value_parser = whole::<u64>(100..1 << 40))]
    nodes: u64,
    /// Make no new search: the book ends where the file of searches does
    #[arg(long)]
    only_known: bool,
    /// Follow the games up to this ply
    #[arg(long, default_value_t = TreeSettings::default().plies, value_parser = whole::<u32>(1..1_000))]
    plies: u32,
    /// Positions without a search need GAMES games
    #[arg(long, value_name = "GAMES", default_value_t = TreeSettings::default().min_games, value_parser = whole::<u64>(1..))]
    min_games: u64,
    /// Write only the POSITIONS most important positions; their scores are those of the whole tree
    #[arg(long, value_name = "POSITIONS", value_parser = whole::<usize>(1..))]
    keep: Option<usize>,
    /// Threads
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
}

impl BuildArgs {
    fn run(&self) -> Result<()> {
        let out = OutputFile::replace(&self.out, MARK)?;
        let mut games = GameMoves::default();
        let broken = games.read(&self.files, self.plies)?;
        if broken > 0 {
            warn(format_args!("warning: {broken} broken games left out"));
        }
        let header = Header {
            searches: 1,
            engine: format!("Sakmak {}", env!("CARGO_PKG_VERSION")),
            signature: bench::run(SIGNATURE_DEPTH, SIGNATURE_HASH_MB, |_, _, _| ())?.nodes,
            settings: SearchSettings::new(self.nodes),
        };
        let mut searches = SearchFile::open(&self.searches, &header)?;
        let job = BuildJob {
            games: &games,
            tree: TreeSettings { plies: self.plies, min_games: self.min_games },
            search: &header.settings,
            positions: self.search,
            only_known: self.only_known,
            threads: self.threads.get(),
        };
        let bar = progress::bar(Some(self.search as u64), "{bar:30} {pos}/{len} {msg}  {elapsed} gone");
        let mut timer = LineTimer::start();
        let tree = job.run(&mut searches, &mut |progress| {
            bar.set_position(progress.searched as u64);
            let line = progress_line(&progress, timer.elapsed().as_secs());
            if bar.is_hidden() && timer.is_due() {
                warn(&line);
            }
            bar.set_message(line);
        })?;
        bar.finish_and_clear();
        let files: Vec<String> = self
            .files
            .iter()
            .map(|path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
            .collect();
        let (searched, from_start) = (tree.searched(), tree.games());
        let all = tree.book(None).len();
        let positions = tree.book(self.keep);
        let part = if positions.len() < all {
            format!(", the {} most important ones here", positions.len())
        } else {
            String::new()
        };
        let text = format!(
            "{} (bench {}), {searched} of {all} positions searched with {} nodes each{}; \
             {from_start} of {} games from the start position; {}",
            header.engine,
            header.signature,
            self.nodes,
            part,
            games.games(),
            files.join(" ")
        );
        let bytes = encode(Variant::Makruk, &text, &positions)?;
        let length = bytes.len();
        let mut draft = out.draft()?;
        draft.write_all(&bytes)?;
        draft.commit()?;
        warn(format_args!(
            "{}: {} positions, {searched} searched, {from_start} games from the start, {length} bytes",
            self.out.display(),
            positions.len()
        ));
        Ok(())
    }
}

fn progress_line(progress: &BuildProgress, seconds: u64) -> String {
    let BuildProgress { searched, new, positions } = progress;
    format!("{searched} searched, {new} of them new, {positions} positions, {seconds} s gone")
}

fn read(path: &Path) -> Result<Book> {
    Book::open(path).with_context(|| path.display().to_string())
}

/// Check a book
///
/// Its checksum is right, its moves are legal and lead to all positions, and scores are those of the best moves.
#[derive(Args)]
struct CheckArgs {
    /// The book
    file: PathBuf,
}

impl CheckArgs {
    fn run(&self) -> Result<()> {
        let book = read(&self.file)?;
        let checked = check(&book).with_context(|| self.file.display().to_string())?;
        let Checked { positions, searched, moves, plies } = checked;
        print(&format!("{positions} positions, {searched} searched, {moves} moves, {plies} plies: sound\n"))
    }
}

/// Describe a book, or one of its positions
///
/// For each move of the position: score for the side that makes it, games, results, and the best line of the book.
#[derive(Args)]
struct InfoArgs {
    /// The book
    file: PathBuf,
    /// Show the position after these moves, in any notation, instead of the start position
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
}

impl InfoArgs {
    fn run(&self) -> Result<()> {
        let book = read(&self.file)?;
        let mut game = Game::new(Rules::default());
        for text in self.moves.split_ascii_whitespace() {
            game.play_text(sakmak_movegen::Notation::San, text)
                .with_context(|| format!("--moves, {text}"))?;
        }
        let reachable = sakmak_book::export::reachable(&book);
        let searched = reachable.iter().filter(|(_, entry)| entry.depth > 0).count();
        let games: u64 =
            reachable.first().map_or(0, |(_, start)| start.moves.iter().map(BookMove::games).sum());
        let deepest = reachable.iter().map(|(position, _)| position.game_ply()).max().unwrap_or(0);
        let head = format!(
            "{}: {}\n{} positions, {searched} searched, {games} games from the start, {deepest} plies, {} bytes\n\n",
            self.file.display(),
            book.text(),
            book.len(),
            book.bytes().len()
        );
        print(&(head + &shown(&book, game.position())))
    }
}

/// Export a book as EPD
///
/// Best move (bm), score in centipawns (ce), depth (acd) and nodes (acn) of the search, and the number of games (c0).
#[derive(Args)]
struct ExportArgs {
    /// The book
    file: PathBuf,
    /// File to write, instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ExportArgs {
    fn run(&self) -> Result<()> {
        let out = self.out.as_deref().map(OutputFile::create).transpose()?;
        let book = read(&self.file)?;
        ensure!(!book.is_empty(), "{}: has no positions", self.file.display());
        write_or_print(out, &epd(&book))
    }
}
