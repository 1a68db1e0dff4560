//! One game of self-play.

use anyhow::{Context, Result, bail};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_dataset::games::{EndReason, GameRecord, GameResult, Ply, Run, Variety, centipawns, end_by_rules};
use sakmak_engine::openings::random_opening;
use sakmak_engine::score::{MATE, is_mate};
use sakmak_engine::skill::Skill;
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_files::winner;
use sakmak_movegen::{Color, Game, Rules};

use super::label::LabelSearcher;

/// Attempts to find the opening of one game.
const TRIES: u32 = 10_000;

/// Plays games with itself, with all search memory cleared before each: a game depends on its number and the run alone.
pub(super) struct SelfPlayer {
    rules: Rules,
    run: Run,
    searcher: LabelSearcher,
    /// Black's searcher in games between limited players: neither learns from the other.
    black: Option<LabelSearcher>,
    tablebases: Tablebases,
}

impl SelfPlayer {
    /// A player for the games of `run`.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub(super) fn new(rules: Rules, run: &Run, tables: &DtmTables, tablebases: &Tablebases) -> Result<Self> {
        let searcher = || LabelSearcher::new(run.hash_mb, run.nodes, run.max_nodes, tables);
        Ok(Self {
            tablebases: tablebases.clone(),
            rules,
            searcher: searcher()?,
            black: run.levels.map(|_| searcher()).transpose()?,
            run: run.clone(),
        })
    }

    /// Plays the game `number`.
    ///
    /// # Errors
    /// If no balanced opening is found, or a tablebase is damaged.
    pub(super) fn play(&mut self, number: u64) -> Result<GameRecord> {
        self.searcher.clear();
        let mut game = self.opening(number)?;
        let mut players = self.run.levels.map(|levels| Players::new(levels, &self.run, number));
        if let Some(black) = &mut self.black {
            self.searcher.clear();
            black.clear();
        }
        let mut varied = self.run.variety.map(|variety| Varied::new(variety, &self.run, number));
        let mut plies = Vec::new();
        let run = self.run.clone();
        let mut adjudicator = Adjudicator::new(&run);
        let (result, reason) = loop {
            if let Some(end) = end_by_rules(&game) {
                break end;
            }
            // Tablebases adjudicate only after a move, as every adjudication does.
            if !plies.is_empty()
                && let Some(end) = self.result_by_tables(&game)?
            {
                break end;
            }
            if let Some(end) = adjudicator.result() {
                break end;
            }
            let ply = self.ply(&game, players.as_mut(), varied.as_mut())?.context("self-play: no move")?;
            adjudicator.add(&game, ply);
            // The search returns legal moves only.
            game.play_and_stop_count(ply.mv);
            plies.push(ply);
        };
        Ok(GameRecord { start: game.start().clone(), result, reason, plies })
    }

    /// The next move, by a limited player if the run has levels, else drawn if it is one of the first.
    fn ply(
        &mut self,
        game: &Game,
        players: Option<&mut Players>,
        varied: Option<&mut Varied>,
    ) -> Result<Option<Ply>> {
        let (position, keys) = (game.position(), game.keys());
        if let Some(Varied { variety: Variety { plies, margin }, rng }) = varied
            && position.game_ply() < *plies
        {
            return self.searcher.search_varied(position, keys, *margin, rng);
        }
        let side = position.side_to_move();
        let searcher = match (&mut self.black, side) {
            (Some(black), Color::Black) => black,
            _ => &mut self.searcher,
        };
        let Some(Players { skills, rng }) = players else { return searcher.search(position, keys) };
        let seed = rng.random();
        match skills[side.index()] {
            Some(skill) => searcher.search_as(skill, position, keys, seed),
            None => searcher.search(position, keys),
        }
    }

    /// The result by the tablebases, if they have the position.
    fn result_by_tables(&self, game: &Game) -> Result<Option<(GameResult, EndReason)>> {
        if let Some(winner) = winner(&self.tablebases, game.position()) {
            return Ok(Some((winner.map_or(GameResult::Draw, GameResult::won_by), EndReason::Tablebase)));
        }
        // Without the damaged tablebase the game would go on, and the file depend on when the damage was noticed.
        match self.tablebases.damaged().next() {
            Some(path) => bail!("{}: damaged", path.display()),
            None => Ok(None),
        }
    }

    /// A game that begins with a balanced position after random moves.
    fn opening(&mut self, number: u64) -> Result<Game> {
        let most = centipawns(self.run.max_opening);
        let mut rng = ChaCha8Rng::seed_from_u64(self.run.seed);
        rng.set_stream(number);
        for _ in 0..TRIES {
            // So that each side moves first equally often; games with varied first moves begin where `Run` says.
            let more = if self.run.variety.is_some() { 0 } else { rng.random_range(0..2) };
            let plies = self.run.random_plies + more;
            let Some(game) = random_opening(Game::new(self.rules), plies, true, &mut rng) else { continue };
            // From the FEN, as a reader will set it up: repetitions do not reach back to the random moves.
            let game = Game::from_fen(&game.position().to_string(), self.rules);
            let game = game.context("self-play")?;
            let over = end_by_rules(&game).is_some();
            let is_balanced = |ply: Ply| centipawns(ply.score.unsigned_abs().into()) <= most;
            if !over && self.searcher.search(game.position(), game.keys())?.is_some_and(is_balanced) {
                return Ok(game);
            }
        }
        bail!("no balanced opening for game {} in {TRIES} attempts", number + 1)
    }
}

/// Draws the first moves of a game.
struct Varied {
    variety: Variety,
    rng: ChaCha8Rng,
}

impl Varied {
    /// The same for the same run and game.
    fn new(variety: Variety, run: &Run, number: u64) -> Self {
        // Another stream than those of the openings and of the players.
        let mut rng = ChaCha8Rng::seed_from_u64(run.seed.rotate_left(32) ^ u64::MAX);
        rng.set_stream(number);
        Self { variety, rng }
    }
}

/// The limited players of a game.
struct Players {
    /// White's and Black's strength; `None` is full strength.
    skills: [Option<Skill>; 2],
    rng: ChaCha8Rng,
}

impl Players {
    /// Two players of random ratings from `low` to `high`, the same for the same run and game.
    fn new([low, high]: [i32; 2], run: &Run, number: u64) -> Self {
        // Another stream than that of the openings.
        let mut rng = ChaCha8Rng::seed_from_u64(run.seed ^ u64::MAX);
        rng.set_stream(number);
        let skills = [0, 1].map(|_| Skill::from_elo(rng.random_range(low..=high)));
        Self { skills, rng }
    }
}

/// Adjudicates decided games before the rules end them.
struct Adjudicator<'a> {
    run: &'a Run,
    plies: usize,
    /// The winner by the mate scores, and the number of consecutive plies that agree on it.
    mate: Option<(Color, usize)>,
    /// Number of consecutive plies with small scores.
    small: usize,
}

impl<'a> Adjudicator<'a> {
    fn new(run: &'a Run) -> Self {
        Self { run, plies: 0, mate: None, small: 0 }
    }

    /// Adds a ply before its move is made.
    fn add(&mut self, game: &Game, ply: Ply) {
        let position = game.position();
        let score = i32::from(ply.score);
        self.plies += 1;
        let is_small = |rule: sakmak_dataset::games::DrawAdjudication| {
            centipawns(score.unsigned_abs()) <= centipawns(rule.score)
        };
        self.small = if self.run.draw.is_some_and(is_small) { self.small + 1 } else { 0 };
        // A mate counts if it takes at most `remaining + 1` plies: the ply after the limit may still mate.
        let left = position.count().remaining().map_or(MATE, |plies| plies + 1);
        if is_mate(score) && MATE - score.abs() <= left {
            let winner = if score > 0 { position.side_to_move() } else { !position.side_to_move() };
            let before = self.mate.filter(|(color, _)| *color == winner).map_or(0, |(_, plies)| plies);
            self.mate = Some((winner, before + 1));
        } else {
            self.mate = None;
        }
    }

    fn result(&self) -> Option<(GameResult, EndReason)> {
        if let Some((winner, plies)) = self.mate
            && plies >= self.run.mate_plies
        {
            return Some((GameResult::won_by(winner), EndReason::MateScore));
        }
        if self.run.draw.is_some_and(|rule| self.plies >= rule.ply && self.small >= rule.count) {
            return Some((GameResult::Draw, EndReason::DrawScore));
        }
        (self.plies >= self.run.max_plies).then_some((GameResult::Draw, EndReason::TooLong))
    }
}
