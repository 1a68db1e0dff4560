//! Limited playing strength.
//!
//! A limited player errs as people do: it overlooks tactics and counts. It searches fewer nodes, and scores some moves
//! by an earlier iteration, or by their exchanges only. So it loses a piece to a threat that it did not see, not at
//! random. A small random error varies the play. All of this improves with every level; the list of ratings maps
//! levels to Elo. An [`Opponent`] has such numbers of its own, and preferences.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::network::Network;
use sakmak_eval::{Centipawns, Evaluator};
use sakmak_movegen::{Move, PieceKind, Position};

use crate::opponents::{Opponent, Reply, Traits};
use crate::score::{DRAW, MATE, Score, is_mate};
use crate::search::picker::SEE_VALUES;
use crate::search::{RootMove, SearchInfo, SearchRequest};
use crate::tt::Bound;

/// Nodes of the weakest player, and of the strongest limited player.
const NODES: [f64; 2] = [600.0, 300_000.0];
/// Probability of an oversight: this power of the weakness, which is 1 for the weakest player.
const OVERSIGHT_POWER: f64 = 3.2;
/// Largest random error of the weakest player, in centipawns...
const ERROR: f64 = 200.0;
/// ...and the power of the weakness by which it is multiplied.
const ERROR_POWER: f64 = 2.4;
/// Moves considered by the strongest limited player, and additional ones by the weakest.
const CANDIDATES: [f64; 2] = [4.0, 60.0];
/// Precision in centipawns to which the loss by an exchange is found.
const SEE_STEP: i32 = 20;

/// Lowest level.
pub const MIN_LEVEL: i32 = -20;
/// The level of full strength.
pub const MAX_LEVEL: i32 = 20;
/// Lowest value of `UCI_Elo`, that of [`MIN_LEVEL`].
pub const MIN_ELO: i32 = LADDER[0].0;
/// Highest value of `UCI_Elo`, that of [`MAX_LEVEL`].
pub const MAX_ELO: i32 = LADDER[LADDER.len() - 1].0;

/// Elo ratings with their strengths from 0 to 1, interpolated linearly.
/// `tools/levels/ladder` measures the steps in games between neighbours; docs/strength.md has the games and the zero.
const LADDER: [(i32, f64); 24] = [
    (600, 0.0),
    (725, 0.08),
    (850, 0.145),
    (975, 0.208),
    (1100, 0.249),
    (1225, 0.287),
    (1350, 0.32),
    (1475, 0.352),
    (1600, 0.383),
    (1725, 0.41),
    (1850, 0.438),
    (1975, 0.464),
    (2100, 0.49),
    (2225, 0.516),
    (2350, 0.541),
    (2475, 0.568),
    (2600, 0.594),
    (2725, 0.627),
    (2850, 0.66),
    (2975, 0.707),
    (3100, 0.775),
    (3225, 0.868),
    (3350, 0.948),
    (3475, 1.0),
];

/// Eleven ratings, evenly spread over the ladder, for a list to choose from.
pub const RATINGS: [i32; 11] = {
    let mut ratings = [0; 11];
    let mut rank = 0;
    while rank < ratings.len() {
        ratings[rank] = LADDER[rank * (LADDER.len() - 1) / (ratings.len() - 1)].0;
        rank += 1;
    }
    ratings
};

/// How a limited player plays: a strength below the full one, or an [`Opponent`].
///
/// ```
/// use sakmak_engine::skill::{MAX_LEVEL, Skill};
///
/// let (weak, strong) = (Skill::from_elo(800).ok_or("a limit")?, Skill::from_elo(2000).ok_or("a limit")?);
/// assert!(weak.nodes() < strong.nodes());
/// assert_eq!(Skill::from_level(MAX_LEVEL), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// From 0, the weakest player, to 1.
    Strength(f64),
    Opponent(&'static Opponent),
}

impl Skill {
    /// The strength of a level from [`MIN_LEVEL`] to [`MAX_LEVEL`], evenly spread over the ratings; `None` from
    /// [`MAX_LEVEL`] on, which is no limit. A lower level than [`MIN_LEVEL`] is the weakest one.
    pub fn from_level(level: i32) -> Option<Self> {
        let share = (f64::from(level) - f64::from(MIN_LEVEL)) / f64::from(MAX_LEVEL - MIN_LEVEL);
        Self::from_rating(f64::from(MIN_ELO) + share * f64::from(MAX_ELO - MIN_ELO))
    }

    /// The strength of a rating from [`MIN_ELO`] to [`MAX_ELO`]; `None` from [`MAX_ELO`] on, which is no limit. A lower
    /// rating than [`MIN_ELO`] is that of the weakest player.
    pub fn from_elo(elo: i32) -> Option<Self> {
        Self::from_rating(f64::from(elo))
    }

    /// The play of an opponent.
    pub fn of(opponent: &'static Opponent) -> Self {
        Self(Kind::Opponent(opponent))
    }

    fn from_rating(rating: f64) -> Option<Self> {
        let above = LADDER.iter().position(|&(measured, _)| rating < f64::from(measured))?;
        let (high, above_strength) = LADDER[above];
        let (low, strength) = LADDER[above.saturating_sub(1)];
        let share = (rating - f64::from(low)) / f64::from((high - low).max(1));
        Some(Self(Kind::Strength(strength + share.max(0.0) * (above_strength - strength))))
    }

    /// Whether this is an [`Opponent`], who moves by nodes alone.
    pub fn is_opponent(self) -> bool {
        matches!(self.0, Kind::Opponent(_))
    }

    fn traits(self) -> Traits {
        let strength = match self.0 {
            Kind::Opponent(opponent) => return opponent.traits,
            Kind::Strength(strength) => strength,
        };
        // 1 for the weakest player, 0 for full strength.
        let weakness = 1.0 - strength;
        Traits {
            nodes: (NODES[0] * (NODES[1] / NODES[0]).powf(strength)) as u64,
            lines: (CANDIDATES[0] + CANDIDATES[1] * weakness.powi(3)) as usize,
            error: ERROR * weakness.powf(ERROR_POWER),
            oversight: weakness.powf(OVERSIGHT_POWER),
            ..Traits::PLAIN
        }
    }

    /// Nodes this player searches for a move.
    pub fn nodes(self) -> u64 {
        self.traits().nodes
    }

    /// MultiPV of the search for [`LimitedPlayer::choose`].
    pub fn lines(self) -> usize {
        self.traits().lines
    }
}

/// A limited player at one move: limits the search request, receives the reports, and chooses the move. The same seed
/// gives the same choice.
pub struct LimitedPlayer {
    traits: Traits,
    position: Position,
    network: Arc<Network>,
    rng: ChaCha8Rng,
    /// The kinds of reply that are not seen in this turn.
    blind: Vec<Reply>,
    /// What was seen of each move, by iteration.
    seen: Vec<(Move, Vec<Seen>)>,
}

/// What one iteration saw of a move.
#[derive(Clone, Copy)]
struct Seen {
    score: i32,
    reply: Option<Move>,
}

impl LimitedPlayer {
    /// Limits the nodes of a request, raises its MultiPV, and turns off the tablebases. A player who overlooks the
    /// running count, or does not heed it yet, searches as if it had just begun.
    pub fn new(skill: Skill, request: &mut SearchRequest, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let traits = skill.traits();
        let position = &mut request.position;
        if let Some(left) = position.count().remaining()
            && (rng.random_bool(traits.oversight) || left >= traits.heeds_count_below)
        {
            position.set_count(position.count().at_ply(0));
        }
        let mut is_blind =
            |&(reply, probability): &(Reply, f64)| rng.random_bool(probability).then_some(reply);
        let blind = traits.blind.iter().filter_map(&mut is_blind).collect();
        request.limits.nodes = Some(request.limits.nodes.unwrap_or(u64::MAX).min(traits.nodes));
        request.multi_pv = request.multi_pv.max(traits.lines);
        request.probing.men = 0;
        request.evaluations = None;
        let network = Arc::clone(&request.network);
        Self { traits, position: position.clone(), network, rng, blind, seen: Vec::new() }
    }

    /// Records a line of a finished iteration; ignores bounds.
    pub fn see(&mut self, info: &SearchInfo) {
        let Some(&mv) = info.line.first().filter(|_| info.bound == Bound::Exact) else { return };
        let score = match info.score {
            Score::Centipawns(score) => score,
            Score::Mate(moves) if moves > 0 => MATE - moves,
            Score::Mate(moves) => -MATE - moves,
        };
        let seen = Seen { score, reply: info.line.get(1).copied() };
        match self.seen.iter_mut().find(|(known, _)| *known == mv) {
            Some((_, iterations)) => iterations.push(seen),
            None => self.seen.push((mv, vec![seen])),
        }
    }

    /// The index of the move to play among the best lines.
    pub fn choose(mut self, moves: &[RootMove]) -> usize {
        let mut evaluator = Evaluator::default();
        evaluator.set_network(&self.network);
        let (mut chosen, mut highest) = (0, f64::MIN);
        for (index, mv) in moves.iter().take(self.traits.lines).enumerate() {
            let mv = mv.mv;
            let Some((_, iterations)) = self.seen.iter().find(|(known, _)| *known == mv) else {
                continue;
            };
            let last = iterations.len();
            let iteration = if self.rng.random_bool(self.traits.oversight) {
                self.rng.random_range(0..last)
            } else {
                last
            };
            let score = match self.last_seen(mv, &iterations[..iteration]) {
                Some(score) => score,
                None => shallow_score(&self.position, mv, &mut evaluator),
            };
            // A triangular distribution: small errors are likelier than large ones.
            let error = (self.rng.random::<f64>() - self.rng.random::<f64>()) * self.traits.error;
            let liking = self.traits.liking(&self.position, mv);
            let value = f64::from(score) + if is_mate(score) { 0.0 } else { error + liking };
            if value > highest {
                (chosen, highest) = (index, value);
            }
        }
        chosen
    }

    /// The score of the last of these iterations whose reply the player is not blind to.
    fn last_seen(&self, mv: Move, iterations: &[Seen]) -> Option<i32> {
        if self.blind.is_empty() {
            return iterations.last().map(|seen| seen.score);
        }
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        let is_seen = |seen: &&Seen| match seen.reply {
            Some(reply) => !self.blind.iter().any(|blind| blind.is(mv, reply, &after)),
            None => true,
        };
        iterations.iter().rev().find(is_seen).map(|seen| seen.score)
    }
}

/// The score of a move for a player who sees only the exchanges on its target square.
fn shallow_score(position: &Position, mv: Move, evaluator: &mut Evaluator) -> i32 {
    let mut next = position.clone();
    next.play_unchecked(mv);
    if next.legal_moves().is_empty() {
        return if next.in_check() { MATE - 1 } else { DRAW };
    }
    let gain = |kind: Option<PieceKind>| kind.map_or(0, |kind| SEE_VALUES.0[kind.index()]);
    let mut lost = 0;
    while !position.see_ge(mv, gain(position.kind_on(mv.to())) - lost, &SEE_VALUES) {
        lost += SEE_STEP;
    }
    Centipawns::from_internal(-evaluator.evaluate_without_threats(&next) - lost).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Searcher};

    #[test]
    fn each_level_searches_more_and_errs_less() {
        let levels: Vec<_> = (MIN_LEVEL..MAX_LEVEL).filter_map(Skill::from_level).collect();
        assert_eq!(levels.len(), 40);
        for pair in levels.windows(2) {
            assert!(pair[0].nodes() < pair[1].nodes());
            assert!(pair[0].traits().error > pair[1].traits().error);
            assert!(pair[0].traits().oversight > pair[1].traits().oversight);
            assert!(pair[0].lines() >= pair[1].lines());
        }
        assert_eq!(Skill::from_level(MAX_LEVEL), None);
        assert_eq!(Skill::from_elo(MAX_ELO), None);
        assert_eq!(Skill::from_elo(MIN_ELO), Skill::from_level(MIN_LEVEL));
        for (lowest, highest) in [(MIN_ELO - 100, MAX_ELO + 1), (i32::MIN, i32::MAX)] {
            assert_eq!(
                (Skill::from_elo(lowest), Skill::from_elo(highest)),
                (Skill::from_level(MIN_LEVEL), None)
            );
        }
        assert_eq!(
            (Skill::from_level(i32::MIN), Skill::from_level(i32::MAX)),
            (Skill::from_level(MIN_LEVEL), None)
        );
        assert!(Skill::from_elo(1500).unwrap().nodes() < Skill::from_elo(1501).unwrap().nodes() + 1);
    }

    #[test]
    fn ratings_and_strengths_rise_together() {
        assert!(LADDER.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        assert_eq!((LADDER[0].1, LADDER[LADDER.len() - 1].1), (0.0, 1.0));
        for (rating, strength) in &LADDER[..LADDER.len() - 1] {
            assert_eq!(Skill::from_elo(*rating), Some(Skill(Kind::Strength(*strength))));
        }
    }

    fn request(fen: &str) -> SearchRequest {
        SearchRequest::new(Position::from_fen(fen).unwrap(), Limits::default())
    }

    /// How often, of 30 times, a player of this `strength` makes the move.
    fn times(strength: f64, fen: &str, mv: &str) -> usize {
        let mut searcher = Searcher::new(1).unwrap();
        let made = |seed: &u64| {
            let mut request = request(fen);
            let mut player = LimitedPlayer::new(Skill(Kind::Strength(strength)), &mut request, *seed);
            searcher.clear();
            let result = searcher.search_with(&request, &mut |info: &SearchInfo| player.see(info));
            result.moves[player.choose(&result.moves)].mv.to_string() == mv
        };
        (0..30).filter(made).count()
    }

    #[test]
    fn a_weak_player_overlooks_threats_but_no_recapture() {
        // The bia on d5 is protected: no player gives the rua for it.
        let protected = "3k4/8/2s5/3p4/8/8/8/K2R4 w - - 0 1";
        assert_eq!([0.0, 0.5].map(|strength| times(strength, protected, "d1d5")), [0, 0]);
        // The met on c3 attacks the rua on d2. A strong player saves it, a weak one often overlooks the attack.
        let attacked = "4k3/8/8/p7/P7/2m5/3R4/7K w - - 0 1";
        let stays = |strength| {
            times(strength, attacked, "h1g1")
                + times(strength, attacked, "h1h2")
                + times(strength, attacked, "h1g2")
        };
        assert!(stays(0.0) > 3, "{}", stays(0.0));
        assert_eq!(stays(0.7), 0);
    }

    #[test]
    fn a_weak_player_forgets_the_count() {
        let counted = "8/2k3r1/3m4/8/1N6/7K/4S3/8 w - 128 100 60";
        let forgotten = |strength: f64| {
            let counts = (0..100).map(|seed| {
                let mut request = request(counted);
                LimitedPlayer::new(Skill(Kind::Strength(strength)), &mut request, seed);
                request.position.count().remaining()
            });
            counts.filter(|left| *left == Some(128)).count()
        };
        assert_eq!(forgotten(0.0), 100);
        assert!((5..60).contains(&forgotten(0.5)), "{}", forgotten(0.5));
        assert_eq!(request(counted).position.count().remaining(), Some(28));
    }

    #[test]
    fn a_blind_player_remembers_the_last_iteration_without_the_reply() {
        let mut request = request("4k3/8/8/3n4/8/p7/P1R5/7K w - - 0 1");
        let mut player = LimitedPlayer::new(Skill(Kind::Strength(0.5)), &mut request, 1);
        let named = |position: &Position, name: &str| {
            position.legal_moves().into_iter().find(|mv| mv.to_string() == name).unwrap()
        };
        let mv = named(&player.position, "h1g2");
        let mut after = player.position.clone();
        after.play_unchecked(mv);
        let [khun, fork] = ["e8d7", "d5e3"].map(|name| Some(named(&after, name)));
        let iterations = [(150, None), (140, khun), (17, fork), (16, fork)];
        let iterations = iterations.map(|(score, reply)| Seen { score, reply });
        assert_eq!(player.last_seen(mv, &iterations), Some(16));
        player.blind = vec![Reply::Maa];
        assert_eq!(player.last_seen(mv, &iterations), Some(140));
        assert_eq!(player.last_seen(mv, &iterations[2..]), None);
        player.blind = vec![Reply::Capture];
        assert_eq!(player.last_seen(mv, &iterations), Some(16));
    }
}
