//! How often an advantage that both players saw is won, and which way the rest is drawn.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write;

use sakmak_movegen::{Color, Game, Move, Outcome};
use serde::Serialize;

use super::pgn::{PgnGame, PgnMove, PgnResult};
use super::scores::score_of;
use super::{BrokenGame, GameFiles, GameStart, GameVisitor, ReadMonitor, UnreadableFile};

/// What became of the games in which both players once saw a player so far ahead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Converted {
    /// Games.
    pub games: u64,
    /// Games that the player won.
    pub won: u64,
    /// Games that it lost.
    pub lost: u64,
    /// Drawn games by the reason.
    pub drawn: BTreeMap<String, u64>,
}

/// The games of a player in which both once saw it ahead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerConversion {
    /// The name of the player.
    pub player: String,
    /// The least advantage in hundredths as printed, and what became of it.
    pub advantages: Vec<(i32, Converted)>,
}

/// All players of some files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConversionReport {
    /// Games with a result and scores of both players.
    pub games: u64,
    /// Games without.
    pub without_scores: u64,
    /// By name.
    pub players: Vec<PlayerConversion>,
    /// Games that are broken.
    pub broken: u64,
    /// Files that could not be read.
    pub unreadable_files: Vec<UnreadableFile>,
}

/// Reads the games. An advantage of so many hundredths, as the players print their scores, counts from where two scores
/// in a row, one of each player, agree on it.
pub fn conversion(files: &GameFiles, advantages: &[i32], monitor: &mut dyn ReadMonitor) -> ConversionReport {
    let mut reader =
        Reader { advantages, seen: Seen::default(), players: BTreeMap::new(), games: 0, without: 0 };
    let Ok::<_, Infallible>(summary) = files.read(&mut reader, monitor);
    let players = reader.players.into_iter().map(|(player, found)| {
        let advantages = advantages.iter().copied().zip(found).collect();
        PlayerConversion { player, advantages }
    });
    ConversionReport {
        games: reader.games,
        without_scores: reader.without,
        players: players.collect(),
        broken: summary.broken,
        unreadable_files: summary.unreadable,
    }
}

/// What the players of a game have seen so far, for White and in hundredths.
#[derive(Default)]
struct Seen {
    /// The last score of each side, if its last move had one.
    last: [Option<i32>; 2],
    /// The largest advantage of each side on which both agreed.
    agreed: [Option<i32>; 2],
}

impl Seen {
    fn add(&mut self, mover: Color, score: Option<i32>) {
        self.last[mover.index()] = score.map(|score| if mover == Color::White { score } else { -score });
        if let [Some(white), Some(black)] = self.last {
            for (agreed, ahead) in self.agreed.iter_mut().zip([white.min(black), (-white).min(-black)]) {
                *agreed = (*agreed).max(Some(ahead));
            }
        }
    }
}

struct Reader<'a> {
    advantages: &'a [i32],
    seen: Seen,
    players: BTreeMap<String, Vec<Converted>>,
    games: u64,
    without: u64,
}

impl GameVisitor for Reader<'_> {
    type Error = Infallible;

    fn visit_move(&mut self, game: &Game, _: Move, record: &mut PgnMove, _: usize) {
        if game.is_empty() {
            self.seen = Seen::default();
        }
        let score = record.comments.iter().find_map(|comment| score_of(comment, 100));
        self.seen.add(game.position().side_to_move(), score.map(i32::from));
    }

    fn finish(&mut self, _: &str, pgn: PgnGame, start: GameStart) -> Result<Option<BrokenGame>, Infallible> {
        let agreed = std::mem::take(&mut self.seen).agreed;
        let winner = match pgn.result {
            PgnResult::WhiteWins => Some(Color::White),
            PgnResult::BlackWins => Some(Color::Black),
            PgnResult::Draw => None,
            PgnResult::Unknown => {
                self.without += 1;
                return Ok(None);
            }
        };
        if start.game.is_empty() || agreed == [None, None] {
            self.without += 1;
            return Ok(None);
        }
        self.games += 1;
        for color in [Color::White, Color::Black] {
            let name = pgn.tags.get(if color == Color::White { "White" } else { "Black" }).unwrap_or("?");
            let found = self.players.entry(name.to_owned()).or_default();
            found.resize(self.advantages.len(), Converted::default());
            for (found, &advantage) in found.iter_mut().zip(self.advantages) {
                if agreed[color.index()].is_none_or(|most| most < advantage) {
                    continue;
                }
                found.games += 1;
                match winner {
                    Some(winner) if winner == color => found.won += 1,
                    Some(_) => found.lost += 1,
                    None => *found.drawn.entry(draw_reason(&pgn, &start.game)).or_default() += 1,
                }
            }
        }
        Ok(None)
    }
}

/// By the rules, else as the file says.
fn draw_reason(pgn: &PgnGame, game: &Game) -> String {
    match game.outcome() {
        Some(Outcome::Draw(reason)) => reason.to_string(),
        _ => {
            let reason = pgn.tags.get("Reason").or_else(|| pgn.tags.get("Termination")).unwrap_or("agreed");
            let reason =
                reason.strip_prefix("draw (").and_then(|reason| reason.strip_suffix(')')).unwrap_or(reason);
            reason.replace(char::is_control, "\u{FFFD}")
        }
    }
}

impl ConversionReport {
    /// As text: a table for each player.
    pub fn text(&self) -> String {
        let mut text = format!("{} games with scores, {} without\n", self.games, self.without_scores);
        for PlayerConversion { player, advantages } in &self.players {
            let _ = write!(
                text,
                "\n{}\n  ahead   games     won   drawn    lost\n",
                player.replace(char::is_control, "\u{FFFD}")
            );
            for (advantage, found) in advantages {
                let percent = |part: u64| 100.0 * part as f64 / found.games.max(1) as f64;
                let drawn: u64 = found.drawn.values().sum();
                let mut reasons: Vec<_> = found.drawn.iter().collect();
                reasons.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
                let reasons: Vec<_> =
                    reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
                let _ = write!(
                    text,
                    "  {:+5.2}  {:>6}  {:>5.1}%  {:>5.1}%  {:>5.1}%",
                    f64::from(*advantage) / 100.0,
                    found.games,
                    percent(found.won),
                    percent(drawn),
                    percent(found.lost)
                );
                let _ = writeln!(text, "  {}", reasons.join(", "));
            }
        }
        text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}
