//! Replaying files of games: is every move legal, does the result agree with the rules, what was played.

mod report;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use sakmak_movegen::{Notation, Ruleset, Variant};
use sakmak_tools::games::{self, Broken, Choice, Files, GameFault};
use sakmak_tools::output;
use sakmak_tools::pgn::PgnGame;

use tally::{Record, Tally};

/// Which games to replay, and by which rules.
///
/// Every move is checked, those of variations included, and the result of each game is compared with what the
/// rules say of its moves.
#[derive(Args)]
#[command(
    after_help = "Broken games are reported on standard error. The exit status is 0 if every game was \
    replayed, 1 if some were broken and 2 if a file could not be read; results that contradict the rules do not \
    change it."
)]
pub(crate) struct Replay {
    /// Files in PGN, or score sheets as SchemingMind prints them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The rules: fairy-stockfish, cutechess, schemingmind, wikipedia, cyningstan, knowlton, chessvariants, none
    #[arg(long, default_value_t)]
    ruleset: Ruleset,
    /// Only games of this variant, such as makruk or cambodian; without this each game's Variant tag decides
    #[arg(long)]
    variant: Option<Variant>,
    /// How the moves are written: san, lan, thai-san, thai-lan, schemingmind, uci; without this each text is
    /// taken for what it looks like
    #[arg(long, value_name = "NOTATION")]
    from: Option<Notation>,
    /// Print one JSON document instead of the summary
    #[arg(long)]
    json: bool,
    /// List the games whose results contradict the rules
    #[arg(long)]
    verbose: bool,
}

impl Replay {
    /// Replays the games and prints the summary.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let choice = Choice { variant: self.variant, ruleset: self.ruleset, notation: self.from };
        let mut files = Files::new(&self.files);
        let mut tally = Tally::default();
        files.each_game(|files, name, game| {
            let broken = match game {
                Ok(game) => replay(name, game, &choice, &mut tally).err(),
                Err(error) => Some(Broken::by_reader(name, &error)),
            };
            if let Some(broken) = broken {
                files.say(&broken);
                tally.add_broken(broken);
            }
            Ok(())
        })?;
        let report = tally.report(self.ruleset, &files);
        let text = if self.json {
            let mut text = serde_json::to_string_pretty(&report)?;
            text.push('\n');
            text
        } else {
            report.text(self.verbose)
        };
        output::print(&text)?;
        Ok(games::exit_code(files.unreadable().len(), report.games.broken))
    }
}

/// Plays one game and adds it to the tally.
fn replay(file: &str, mut pgn: PgnGame, choice: &Choice, tally: &mut Tally) -> Result<(), Broken> {
    let by_fault = |pgn: &PgnGame, fault: &GameFault| Broken::by_fault(file, pgn, fault);
    let start = match games::begin(&pgn.tags, choice) {
        Ok(Some(start)) => start,
        Ok(None) => {
            tally.add_skipped();
            return Ok(());
        }
        Err(fault) => return Err(by_fault(&pgn, &fault)),
    };
    let (mut record, mut game) = (Record::new(start.is_default), start.game);
    let mut moves = std::mem::take(&mut pgn.moves);
    games::play(&mut game, &mut moves, choice.notation, &mut |game, mv, _, depth| {
        if depth == 0 {
            record.see(game);
            record.see_move(game, mv);
        }
    })
    .map_err(|fault| by_fault(&pgn, &fault))?;
    record.see(&game);
    tally.add(file, &pgn, &game, record);
    Ok(())
}
