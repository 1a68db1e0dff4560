//! Opponents with a character: players of limited strength whose errors and preferences are numbers of one list.
//!
//! An opponent moves by its nodes alone: its transposition table and histories begin empty at each move. So the same
//! version, seed, position and moves before it give the same move on every machine. Only in an ending that the engine
//! must solve first may the move depend on what was solved before.

use sakmak_eval::Centipawns;
use sakmak_movegen::{Color, Move, PieceKind, Position, Square};

use crate::search::picker::SEE_VALUES;

/// Size of an opponent's transposition table in MiB, whatever the engine's is.
pub(crate) const HASH_MB: usize = 16;

/// Centipawns that a move of an opponent's favourite opening is worth to it.
const OPENING_BONUS: f64 = 60.0;
/// Last move of the game at which the opening matters.
const OPENING_MOVES: u32 = 12;
/// A check is worth this number of steps towards the khun of the other side.
const STEPS_OF_CHECK: f64 = 3.0;

/// A kind of reply that a player may be blind to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A move of a maa: forks.
    Maa,
    /// A move of a rua over at least three squares.
    FarRua,
    /// Neither capture nor check nor promotion: quiet threats.
    Quiet,
    /// A capture on another square than the one just moved to: pieces left hanging.
    Capture,
    /// A move of a khon or a met.
    Near,
}

impl Reply {
    /// Whether `reply` to `mv` is of this kind. `after` is the position between them.
    pub(crate) fn is(self, mv: Move, reply: Move, after: &Position) -> bool {
        let (from, to) = (reply.from(), reply.to());
        match self {
            Self::Maa => after.kind_on(from) == Some(PieceKind::Maa),
            Self::FarRua => after.kind_on(from) == Some(PieceKind::Rua) && distance(from, to) >= 3,
            Self::Quiet => {
                let mut next = after.clone();
                next.play_unchecked(reply);
                !after.is_noisy(reply) && !next.in_check()
            }
            Self::Capture => after.is_capture(reply) && to != mv.to(),
            Self::Near => matches!(after.kind_on(from), Some(PieceKind::Khon | PieceKind::Met)),
        }
    }
}

/// What makes up a limited player. Probabilities are from 0 to 1, values in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traits {
    /// Nodes of a move.
    pub(crate) nodes: u64,
    /// Moves considered.
    pub(crate) lines: usize,
    /// Largest random error of a score.
    pub(crate) error: f64,
    /// Probability to overlook what follows a move, for each move.
    pub(crate) oversight: f64,
    /// Probabilities to be blind to a kind of reply, for all moves of a turn.
    pub(crate) blind: &'static [(Reply, f64)],
    /// Share of the value of a captured piece that the player adds for the pleasure of it.
    pub(crate) greed: f64,
    /// Value of a step of a piece towards the khun of the other side.
    pub(crate) attack: f64,
    /// A running count is heeded once it leaves fewer plies.
    pub(crate) heeds_count_below: i32,
    /// Moves of the favourite opening, as White makes them.
    pub(crate) opening: &'static [&'static str],
}

impl Traits {
    /// A player without preferences.
    pub(crate) const PLAIN: Self = Self {
        nodes: u64::MAX,
        lines: 1,
        error: 0.0,
        oversight: 0.0,
        blind: &[],
        greed: 0.0,
        attack: 0.0,
        heeds_count_below: i32::MAX,
        opening: &[],
    };

    /// What the player likes about a move beyond its score, in centipawns.
    pub(crate) fn liking(&self, position: &Position, mv: Move) -> f64 {
        let mut liking = 0.0;
        if self.greed != 0.0
            && position.is_capture(mv)
            && let Some(kind) = position.kind_on(mv.to())
        {
            let value = SEE_VALUES.0[kind.index()];
            liking += self.greed * f64::from(Centipawns::from_internal(value).0);
        }
        if self.attack != 0.0 {
            liking += self.attack * approach(position, mv);
        }
        if !self.opening.is_empty()
            && position.fullmove_number() <= OPENING_MOVES
            && self.opening.contains(&as_white(position.side_to_move(), mv).as_str())
        {
            liking += OPENING_BONUS;
        }
        liking
    }
}

/// Steps by which the moved piece comes nearer to the khun of the other side, and those of a check.
fn approach(position: &Position, mv: Move) -> f64 {
    let khun = position.khun(!position.side_to_move());
    let steps = match position.kind_on(mv.from()) {
        Some(PieceKind::Khun) | None => 0,
        Some(_) => distance(mv.from(), khun) - distance(mv.to(), khun),
    };
    let mut next = position.clone();
    next.play_unchecked(mv);
    f64::from(steps) + if next.in_check() { STEPS_OF_CHECK } else { 0.0 }
}

/// Steps of a khun from one square to the other.
fn distance(one: Square, other: Square) -> i32 {
    let files = one.file().index().abs_diff(other.file().index());
    let ranks = one.rank().index().abs_diff(other.rank().index());
    files.max(ranks) as i32
}

/// A move in coordinates, the board turned if Black makes it.
fn as_white(side: Color, mv: Move) -> String {
    let text = format!("{}{}", mv.from(), mv.to());
    match side {
        Color::White => text,
        Color::Black => {
            let turned = |letter: char| match letter {
                'a'..='h' => char::from(b'a' + b'h' - letter as u8),
                digit => char::from(b'1' + b'8' - digit as u8),
            };
            text.chars().map(turned).collect()
        }
    }
}

/// An opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opponent {
    /// Its name, the value of the UCI option `Opponent`.
    pub name: &'static str,
    /// Its rating in games, on the scale of `UCI_Elo`.
    pub rating: i32,
    /// Half of the 95% interval of the rating.
    pub rating_error: i32,
    pub(crate) traits: Traits,
}

impl Opponent {
    /// The opponent of this name, in upper or lower case.
    pub fn named(name: &str) -> Option<&'static Self> {
        OPPONENTS.iter().find(|opponent| opponent.name.eq_ignore_ascii_case(name))
    }
}

/// Bia of the wings first.
const WINGS: &[&str] = &["a3a4", "h3h4", "a4a5", "h4h5", "b3b4", "g3g4"];
/// The met goes ahead behind its bia.
const MET_AHEAD: &[&str] = &["e3e4", "e1f2", "f2e3", "d3d4", "e1d2"];
/// Both khon up, side by side.
const KHON_UP: &[&str] = &["c1c2", "f1f2", "c2d2", "f2e2", "d3d4", "e3e4"];
/// The khun walks into the corner.
const KHUN_HOME: &[&str] = &["d1c2", "c2b2", "c1d2", "b3b4", "d3d4"];
/// Both maa to the centre.
const MAA_CENTRE: &[&str] = &["b1d2", "g1e2", "d3d4", "e3e4", "c3c4", "d2f3"];
/// Maa and bia of one wing.
const WING_ATTACK: &[&str] = &["f3f4", "g3g4", "g1e2", "e2g3", "h3h4", "g4g5"];

/// The opponents, the weakest first. `tools/levels/opponents` measures their ratings.
pub const OPPONENTS: [Opponent; 10] = [
    Opponent {
        name: "Snail",
        rating: 625,
        rating_error: 47,
        traits: Traits {
            nodes: 500,
            lines: 64,
            error: 220.0,
            oversight: 1.0,
            heeds_count_below: 0,
            opening: WINGS,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Chick",
        rating: 800,
        rating_error: 48,
        traits: Traits {
            nodes: 1_000,
            lines: 64,
            error: 120.0,
            oversight: 0.6,
            blind: &[(Reply::Capture, 0.5)],
            attack: 6.0,
            heeds_count_below: 0,
            opening: MET_AHEAD,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Frog",
        rating: 1105,
        rating_error: 50,
        traits: Traits {
            nodes: 2_500,
            lines: 40,
            error: 80.0,
            oversight: 0.35,
            blind: &[(Reply::FarRua, 0.9)],
            heeds_count_below: 16,
            opening: KHON_UP,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Buffalo",
        rating: 1300,
        rating_error: 48,
        traits: Traits {
            nodes: 4_000,
            lines: 28,
            error: 60.0,
            oversight: 0.25,
            blind: &[(Reply::Quiet, 0.4)],
            greed: -0.05,
            heeds_count_below: 20,
            opening: KHUN_HOME,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Monkey",
        rating: 1565,
        rating_error: 53,
        traits: Traits {
            nodes: 6_000,
            lines: 24,
            error: 50.0,
            oversight: 0.15,
            greed: 0.3,
            heeds_count_below: 0,
            opening: MAA_CENTRE,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Crocodile",
        rating: 1780,
        rating_error: 54,
        traits: Traits {
            nodes: 9_000,
            lines: 16,
            error: 35.0,
            oversight: 0.1,
            blind: &[(Reply::Near, 0.5)],
            greed: 0.08,
            attack: -4.0,
            heeds_count_below: 60,
            opening: KHON_UP,
        },
    },
    Opponent {
        name: "Elephant",
        rating: 2145,
        rating_error: 59,
        traits: Traits {
            nodes: 16_000,
            lines: 12,
            error: 25.0,
            oversight: 0.05,
            blind: &[(Reply::Maa, 0.5)],
            opening: KHUN_HOME,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Tiger",
        rating: 2325,
        rating_error: 58,
        traits: Traits {
            nodes: 28_000,
            lines: 10,
            error: 18.0,
            oversight: 0.04,
            attack: 10.0,
            heeds_count_below: 12,
            opening: WING_ATTACK,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Naga",
        rating: 2925,
        rating_error: 142,
        traits: Traits {
            nodes: 70_000,
            lines: 6,
            error: 8.0,
            oversight: 0.01,
            opening: MAA_CENTRE,
            ..Traits::PLAIN
        },
    },
    Opponent {
        name: "Garuda",
        rating: 3475,
        rating_error: 203,
        traits: Traits { nodes: 400_000, ..Traits::PLAIN },
    },
];

/// The value of the UCI option for no opponent, and the names of the opponents.
pub(crate) const CHOICES: [&str; OPPONENTS.len() + 1] = {
    let mut names = ["none"; OPPONENTS.len() + 1];
    let mut rank = 0;
    while rank < OPPONENTS.len() {
        names[rank + 1] = OPPONENTS[rank].name;
        rank += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::{LimitedPlayer, Skill};
    use crate::{Limits, SearchInfo, SearchRequest, Searcher};

    #[test]
    fn each_opponent_has_a_name_and_is_stronger_than_the_one_before() {
        assert!(OPPONENTS.windows(2).all(|pair| pair[0].rating < pair[1].rating));
        for opponent in &OPPONENTS {
            assert_eq!(Opponent::named(&opponent.name.to_uppercase()), Some(opponent));
            assert!(CHOICES.contains(&opponent.name));
            let Traits { nodes, lines, oversight, blind, .. } = opponent.traits;
            assert!(nodes > 0 && lines > 0 && (0.0..=1.0).contains(&oversight));
            assert!(blind.iter().all(|(_, probability)| (0.0..=1.0).contains(probability)));
        }
        assert_eq!(Opponent::named("none"), None);
    }

    /// The favourite moves are those of the start position's pieces.
    #[test]
    fn openings_can_be_played_by_both_sides() {
        let is_opening = |opponent: &Opponent, position: &Position| {
            let moves = position.legal_moves();
            let bonus = |mv: &Move| {
                Traits { opening: opponent.traits.opening, ..Traits::PLAIN }.liking(position, *mv) > 0.0
            };
            let mut names: Vec<_> = moves.iter().filter(|mv| bonus(mv)).map(|mv| mv.to_string()).collect();
            names.sort();
            names
        };
        let white = Position::startpos();
        let mut black = white.clone();
        let waits = black.legal_moves().into_iter().find(|mv| mv.to_string() == "b1d2").unwrap();
        black.play_unchecked(waits);
        for opponent in &OPPONENTS[..OPPONENTS.len() - 1] {
            let (ours, theirs) = (is_opening(opponent, &white), is_opening(opponent, &black));
            assert!(!ours.is_empty() && ours.len() == theirs.len(), "{}: {ours:?} {theirs:?}", opponent.name);
        }
        assert_eq!(is_opening(&OPPONENTS[0], &black), ["a6a5", "b6b5", "g6g5", "h6h5"]);
    }

    #[test]
    fn replies_are_told_apart() {
        let position = |fen: &str| Position::from_fen(fen).unwrap();
        let mv = |position: &Position, name: &str| {
            position.legal_moves().into_iter().find(|mv| mv.to_string() == name).unwrap()
        };
        // White moves h1h2; then Black's replies.
        let before = position("r3k3/8/8/8/3n4/8/1R6/7K w - - 0 1");
        let first = mv(&before, "h1h2");
        let mut after = before.clone();
        after.play_unchecked(first);
        for (reply, kinds) in [
            ("d4f3", vec![Reply::Maa]),
            ("d4b3", vec![Reply::Maa, Reply::Quiet]),
            ("a8a2", vec![Reply::FarRua, Reply::Quiet]),
            ("a8b8", vec![Reply::Quiet]),
        ] {
            let all = [Reply::Maa, Reply::FarRua, Reply::Quiet, Reply::Capture, Reply::Near];
            let found: Vec<_> =
                all.into_iter().filter(|kind| kind.is(first, mv(&after, reply), &after)).collect();
            assert_eq!(found, kinds, "{reply}");
        }
    }

    /// How often, of 40 times, a player of these traits makes the move.
    fn times(traits: Traits, fen: &str, mv: &str) -> usize {
        let opponent: &'static Opponent =
            Box::leak(Box::new(Opponent { name: "", rating: 0, rating_error: 0, traits }));
        let mut searcher = Searcher::new(1).unwrap();
        let made = |seed: &u64| {
            let position = Position::from_fen(fen).unwrap();
            let mut request = SearchRequest::new(position, Limits::default());
            let mut player = LimitedPlayer::new(Skill::of(opponent), &mut request, *seed);
            searcher.clear();
            let result = searcher.search_with(&request, &mut |info: &SearchInfo| player.see(info));
            result.moves[player.choose(&result.moves)].mv.to_string() == mv
        };
        (0..40).filter(made).count()
    }

    const SOUND: Traits = Traits { nodes: 4_000, lines: 20, ..Traits::PLAIN };

    #[test]
    fn greed_takes_what_is_protected() {
        // The bia on d5 is protected: the rua would be lost for it.
        let protected = "3k4/8/2s5/3p4/8/8/8/K2R4 w - - 0 1";
        assert_eq!(times(SOUND, protected, "d1d5"), 0);
        let greedy = Traits { greed: 30.0, ..SOUND };
        assert!(times(greedy, protected, "d1d5") > 30);
    }

    #[test]
    fn a_count_is_heeded_late() {
        let heeded = |below: i32, counted: u32| {
            let traits = Traits { heeds_count_below: below, ..SOUND };
            let opponent: &'static Opponent =
                Box::leak(Box::new(Opponent { name: "", rating: 0, rating_error: 0, traits }));
            let fen = format!("8/2k3r1/3m4/8/1N6/7K/4S3/8 w - 128 {counted} 60");
            let position = Position::from_fen(&fen).unwrap();
            let mut request = SearchRequest::new(position, Limits::default());
            LimitedPlayer::new(Skill::of(opponent), &mut request, 1);
            request.position.count().remaining() != Some(128)
        };
        assert_eq!([20, 100].map(|counted| heeded(40, counted)), [false, true]);
        assert_eq!([heeded(0, 120), heeded(i32::MAX, 1)], [false, true]);
    }
}
