//! The program `sakmak-tools`: matches, games, data and training for the developers of Sakmak.

mod cli;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ContextKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use sakmak_files::output::OutputError;
use sakmak_matches::tournament::process::{GUARD, become_engine};

use cli::stdout::{OutputClosed, print, warn};
use cli::{
    annotate, book, convert, datagen, evals, evaluate, fastchess, fishnet, matches, openings, puzzles, queue,
    ratings, replay, spsa, suite, tablebase, train,
};

/// Tools around the Makruk engine Sakmak.
#[derive(Parser)]
#[command(name = "sakmak-tools", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands, in the order of [`GROUPS`].
#[derive(Subcommand)]
enum Command {
    Match(Box<matches::MatchArgs>),
    Merge(matches::MergeArgs),
    Sprt(matches::SprtArgs),
    Ratings(ratings::Ratings),
    Spsa(Box<spsa::SpsaArgs>),
    Openings(Box<openings::Openings>),
    Suite(suite::Suite),
    Datagen(datagen::Datagen),
    Train(Box<train::TrainArgs>),
    Puzzles(puzzles::Puzzles),
    Book(Box<book::BookArgs>),
    Replay(replay::Replay),
    Convert(convert::Convert),
    Annotate(Box<annotate::Annotate>),
    Evaluate(Box<evaluate::Evaluate>),
    Evals(evals::EvalsArgs),
    Queue(queue::QueueArgs),
    Fastchess(fastchess::Fastchess),
    Fishnet(Box<fishnet::Fishnet>),
    Tablebase(tablebase::Tablebase),
    /// Print the completion script of a shell
    Completions {
        shell: Shell,
    },
    /// Write the manual pages into a folder
    Man {
        folder: PathBuf,
    },
    /// Run an engine that ends with its parent
    #[command(name = GUARD, hide = true)]
    RunEngine {
        parent: u32,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

/// Headings of `--help` and the commands below them; commands in no list are below the last heading.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Matches and strength", &["match", "merge", "sprt", "ratings", "spsa", "openings", "suite"]),
    ("Data and training", &["datagen", "train", "puzzles", "book"]),
    ("Games and tablebases", &["replay", "convert", "annotate", "evaluate", "evals", "tablebase"]),
    ("Servers", &["queue", "fastchess", "fishnet"]),
    ("This program", &[]),
];

/// Removed commands and options, and their replacements; each stays here for one release.
const REMOVED: [(&str, &str); 6] = [
    ("magics", "movegen/src/magic_numbers.rs says how its numbers were found"),
    ("count-curves", "docs/network.md has its chart"),
    ("conversion", "`replay` sums up results and reasons of draws"),
    ("endings", "`tablebase build` solves endings, `tablebase info` prints the longest mates"),
    ("map", "`tablebase probe` evaluates a position; docs/endgames.md has two maps"),
    ("rank", "`tablebase build` without names builds all endings of three and four men"),
];

fn main() -> ExitCode {
    let mut parser = command();
    let arguments = parser.try_get_matches_from_mut(arguments());
    let parsed = arguments.and_then(|arguments| Cli::from_arg_matches(&arguments)).unwrap_or_else(|error| {
        let unknown = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
        let word = unknown.into_iter().find_map(|kind| error.get(kind)).map(ToString::to_string);
        if let Some((name, instead)) = REMOVED.iter().find(|(name, _)| word.as_deref() == Some(name)) {
            warn(format_args!("error: '{name}' was removed: {instead}"));
            std::process::exit(2);
        }
        error.exit()
    });
    // Commands on files exit with 1 for broken games, so their errors are 2.
    let (result, on_error) = match parsed.command {
        Command::Match(args) => (args.run(), 2),
        Command::Merge(args) => (args.run(), 2),
        Command::Sprt(args) => (args.run(), 2),
        Command::Ratings(ratings) => (ratings.run(), 2),
        Command::Spsa(args) => (args.run(), 2),
        Command::Openings(openings) => (openings.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Suite(suite) => (suite.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Datagen(datagen) => {
            let on_error = datagen.on_error();
            (datagen.run(), on_error)
        }
        Command::Train(train) => (train.run(), 1),
        Command::Puzzles(puzzles) => (puzzles.run(), 2),
        Command::Book(book) => (book.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Replay(replay) => (replay.run(), 2),
        Command::Convert(convert) => (convert.run(), 2),
        Command::Annotate(annotate) => (annotate.run(), 2),
        Command::Evaluate(evaluate) => (evaluate.run(), 2),
        Command::Evals(evals) => (evals.run(), 2),
        Command::Queue(queue) => (queue.run(), 2),
        Command::Fastchess(fastchess) => (fastchess.run(), 2),
        Command::Fishnet(fishnet) => (fishnet.run(), 2),
        Command::Tablebase(tablebase) => (tablebase.run(), 1),
        Command::Completions { shell } => (completions(shell), 1),
        Command::Man { folder } => (manual(&folder), 1),
        Command::RunEngine { parent, command } => (Err(become_engine(parent, &command).into()), 2),
    };
    result.unwrap_or_else(|error| {
        if error.is::<OutputClosed>() {
            return ExitCode::SUCCESS;
        }
        warn(format_args!("error: {error:#}"));
        // The result of long work is not lost when its file cannot be written.
        if let Some(OutputError::Unsaved { text, .. }) = error.downcast_ref() {
            let _ = print(text);
        }
        ExitCode::from(on_error)
    })
}

/// The name of fastchess: OpenBench's client builds its match runner under this name and adds `-ob`.
const FASTCHESS: &str = "fastchess";

/// The arguments; a program whose name begins with that of fastchess is the command of this name, unless it starts an
/// engine.
fn arguments() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let program = words.first().and_then(|program| Path::new(program).file_stem());
    let is_fastchess = program.is_some_and(|name| name.to_string_lossy().starts_with(FASTCHESS));
    if is_fastchess && words.get(1).is_none_or(|word| word != GUARD) {
        words.insert(1, FASTCHESS.into());
    }
    words
}

/// The argument parser, with headings, as clap has no groups of subcommands.
fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups += &format!("{header}{heading}:{header:#}\n");
        for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            let group =
                GROUPS.iter().find(|(_, names)| names.contains(&name)).unwrap_or(&GROUPS[GROUPS.len() - 1]);
            if group.1 == names {
                let about = command.get_about().map(ToString::to_string).unwrap_or_default();
                groups += &format!("  {literal}{name:<12}{literal:#} {about}\n");
            }
        }
        groups.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}"
    );
    command.help_template(template)
}

fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sakmak-tools", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

fn manual(folder: &Path) -> anyhow::Result<ExitCode> {
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("cannot write the manual pages into {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
