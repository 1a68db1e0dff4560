//! What a whole game shows: its phases, and the counts that ran.

use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::{Color, CountKind, Game, Outcome, PieceKind, Position};
use sakmak_themes::begins_count;
use serde::Serialize;

use crate::verdict::move_accuracy;

/// Most men but khun and bia in the endgame, of 14 at the start.
const ENDGAME_PIECES: u32 = 6;
/// Plies after which the opening is over, with or without a capture of a piece.
const OPENING_PLIES: usize = 30;
/// Men but khun and bia below which the opening is over.
const OPENING_PIECES: u32 = 13;

/// A phase of a game. The opening ends with the second piece that is taken, bia left out, or after 15 moves; the endgame
/// begins with six pieces, or with a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PhaseKind {
    /// The first moves.
    Opening,
    /// Between opening and endgame.
    Middlegame,
    /// Few pieces, or a count.
    Endgame,
}

/// A phase of a reviewed game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Phase {
    /// Which one.
    pub kind: PhaseKind,
    /// The index of its first ply.
    pub first: usize,
    /// The mean accuracy of the moves of White and Black, from 0 to 100; `None` without a move.
    pub accuracy: [Option<f64>; 2],
}

/// A count of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CountRun {
    /// The index of the ply that began it; 0 with `began` false if it ran at the start.
    pub ply: usize,
    /// Whether a move of the game began it.
    pub began: bool,
    /// `board` or `pieces`.
    pub honour: &'static str,
    /// The side that counts, `w` or `b`; `None` if it belongs to neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<char>,
    /// Plies that it left when it began; `None` if it has no end.
    pub left: Option<u16>,
    /// Plies to mate then, where a tablebase knows them and nobody counts; `None` also if there is no win.
    pub needed: Option<u16>,
    /// How it ended.
    pub end: CountEnd,
    /// Plies that were left at its end.
    pub unused: u16,
}

/// How a count ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CountEnd {
    /// By mate in time.
    Mate,
    /// It ran out.
    Drawn,
    /// Another count took its place.
    Replaced,
    /// It was stopped.
    Stopped,
    /// The game ended before.
    Open,
}

fn phase_of(ply: usize, position: &Position) -> PhaseKind {
    let pieces = (position.occupied() & !position.kind(PieceKind::Bia)).len().saturating_sub(2);
    if pieces <= ENDGAME_PIECES || position.count().is_running() {
        PhaseKind::Endgame
    } else if ply >= OPENING_PLIES || pieces < OPENING_PIECES {
        PhaseKind::Middlegame
    } else {
        PhaseKind::Opening
    }
}

/// The phases of a game. `lost` are the expected points that each move lost, in hundredths of a game.
pub(super) fn phases(games: &[Game], lost: &[f64]) -> Vec<Phase> {
    let mut kinds: Vec<PhaseKind> = Vec::new();
    for (ply, game) in games.iter().take(lost.len()).enumerate() {
        let kind = phase_of(ply, game.position());
        // A phase never comes back, as where a count is stopped.
        kinds.push(kinds.last().map_or(kind, |&last| last.max(kind)));
    }
    let mut phases = Vec::new();
    for kind in [PhaseKind::Opening, PhaseKind::Middlegame, PhaseKind::Endgame] {
        let Some(first) = kinds.iter().position(|&other| other == kind) else { continue };
        let accuracy = Color::ALL.map(|side| {
            let own = (0..lost.len())
                .filter(|&ply| kinds[ply] == kind && games[ply].position().side_to_move() == side);
            let all: Vec<_> = own.map(|ply| move_accuracy(lost[ply])).collect();
            let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
            (!all.is_empty()).then_some((mean * 10.0).round() / 10.0)
        });
        phases.push(Phase { kind, first, accuracy });
    }
    phases
}

/// The counts of a game. `games` are the positions before each move and after the last one.
pub(super) fn counts(games: &[Game], tablebases: &Tablebases) -> Vec<CountRun> {
    let mut runs: Vec<CountRun> = Vec::new();
    let mut is_open = false;
    for (index, game) in games.iter().enumerate() {
        let position = game.position();
        let before = index.checked_sub(1).map(|before| games[before].position());
        let left = position.count().remaining().map(|left| u16::try_from(left.max(0)).unwrap_or(u16::MAX));
        let begins = before.map_or(position.count().is_running(), |before| begins_count(before, position));
        if let Some(run) = runs.last_mut().filter(|_| is_open) {
            let outcome = game.outcome_here();
            if begins || left.is_none() {
                run.end = if begins { CountEnd::Replaced } else { CountEnd::Stopped };
                is_open = false;
            } else {
                run.unused = left.unwrap_or(0);
                run.end = match outcome {
                    Some(Outcome::Win(_)) => CountEnd::Mate,
                    Some(Outcome::Draw(_)) if run.unused == 0 => CountEnd::Drawn,
                    _ => CountEnd::Open,
                };
                is_open = run.end == CountEnd::Open;
            }
        }
        if begins && let Some(kind) = position.count_kind() {
            let left = left.filter(|_| !position.count().is_unlimited());
            let needed = tablebases.probe(position).and_then(|probe| match probe.uncounted {
                Value::Loss(plies) | Value::Win(plies) => Some(plies),
                Value::Draw => None,
            });
            runs.push(CountRun {
                ply: index.saturating_sub(1),
                began: before.is_some(),
                honour: if kind == CountKind::Board { "board" } else { "pieces" },
                counter: position.counter().map(|side| if side == Color::White { 'w' } else { 'b' }),
                left,
                needed,
                end: CountEnd::Open,
                unused: left.unwrap_or(0),
            });
            is_open = true;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use sakmak_eval::DtmTables;
    use sakmak_movegen::Rules;

    use super::*;

    fn games(fen: &str, moves: &str) -> Vec<Game> {
        let mut game = Game::from_fen(fen, Rules::default()).unwrap();
        let mut games = vec![game.clone()];
        for text in moves.split_whitespace() {
            game.play_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            games.push(game.clone());
        }
        games
    }

    fn runs(fen: &str, moves: &str) -> Vec<CountRun> {
        let pairs = DtmTables::default();
        counts(&games(fen, moves), &Tablebases::default().with_pairs(&pairs, true))
    }

    #[test]
    fn a_count_begins_and_ends() {
        // The rua takes the last piece, then mates.
        let found = runs("k7/m7/1K6/8/8/8/8/R7 w - - 0 60", "a1a7 a8b8 a7h7 b8a8 h7h8");
        let [run] = &found[..] else { panic!("{found:?}") };
        assert_eq!((run.ply, run.honour, run.counter, run.end), (0, "pieces", Some('b'), CountEnd::Mate));
        assert_eq!((run.left, run.unused), (Some(26), 22));
        assert!(run.needed.is_some_and(|plies| plies <= 26));
        // Nothing counts while a bia is there.
        assert!(runs("k7/m7/1K6/8/8/6P1/8/R7 w - - 0 60", "b6b5").is_empty());
    }

    #[test]
    fn a_count_at_the_start_runs_out() {
        let found = runs("8/8/8/3k4/8/8/4K3/7R w - 32 31 90", "h1h2 d5d4");
        let [run] = &found[..] else { panic!("{found:?}") };
        assert_eq!((run.began, run.left), (false, Some(1)));
        assert_eq!(run.end, CountEnd::Drawn);
    }

    #[test]
    fn phases_follow_one_another() {
        let start = games("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "a3a4 a6a5");
        let found = phases(&start, &[0.0, 10.0]);
        let [phase] = &found[..] else { panic!("{found:?}") };
        assert_eq!(phase.kind, PhaseKind::Opening);
        assert_eq!(phase.accuracy, [Some(100.0), Some(63.6)]);
        let end = games("k7/m7/1K6/8/8/6P1/8/R7 w - - 0 60", "b6b5");
        let found = phases(&end, &[0.0]);
        assert_eq!((found[0].kind, found[0].accuracy[1]), (PhaseKind::Endgame, None));
    }
}
