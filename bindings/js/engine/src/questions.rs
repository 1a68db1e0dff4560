//! The questions that UCI has no command for, and their answers.

use std::collections::VecDeque;

use sakmak_engine::uci::Session;
use sakmak_engine::win_rate::accepts_draw;
use sakmak_games::move_name;
use sakmak_movegen::Position;
use serde::{Deserialize, Serialize};

use crate::endings::{best_move, endings_of, probed};
use crate::position::{PositionData, notation};
use crate::review::{Progress, ReviewSearch};

/// A question with its id.
#[derive(Debug, Deserialize)]
struct Asked {
    /// Chosen by the client.
    ask: u32,
    #[serde(flatten)]
    question: Question,
}

/// The id of a question that cannot be read.
#[derive(Debug, Deserialize)]
struct Id {
    ask: u32,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Question {
    /// What the solved endings say about a position.
    Endings { position: PositionData },
    /// The best move by the solved endings, or none. `seed` chooses among equal moves.
    EndingMove {
        position: PositionData,
        #[serde(default)]
        seed: u64,
    },
    /// The review of a game with `nodes` nodes for each position.
    Review { position: PositionData, nodes: u64, notation: Option<String> },
    /// The moves of lines from a position in a notation.
    Names { position: PositionData, lines: Vec<Vec<String>>, notation: Option<String> },
    /// Whether the side to move and the other one accept a draw, by chances to win, draw and lose in thousandths.
    AcceptsDraw { chances: [u32; 3] },
    /// Settings of the next searches for which UCI has no option.
    Settings {
        seed: Option<u64>,
        #[serde(default)]
        without_count: bool,
    },
}

/// Why a question is not answered.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    /// A refusal with the code of an `EngineError`.
    pub fn new(code: &'static str, message: impl ToString) -> Self {
        Self { code, message: message.to_string() }
    }

    /// The position, its rules or its moves are wrong.
    pub fn position(message: impl ToString) -> Self {
        Self::new("engine.position", message)
    }
}

/// What is sent to the client about the question `ask`.
#[derive(Debug, Serialize)]
struct Message<T> {
    ask: u32,
    #[serde(flatten)]
    content: Content<T>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum Content<T> {
    Answer(T),
    Error(Refusal),
    /// More comes.
    Progress(Progress),
}

/// A question whose answer takes more than one step.
enum Waiting {
    Endings(PositionData),
    EndingMove(PositionData, u64),
}

/// The questions that wait, and the answers that wait to be taken.
#[derive(Default)]
pub struct Questions {
    /// About endings that are not solved yet.
    waiting: VecDeque<(u32, Waiting)>,
    review: Option<(u32, ReviewSearch)>,
    answers: String,
}

/// The positions of which a question needs the tablebase values: none, one, or those of a whole game.
pub fn tablebase_positions(question: &str) -> Vec<Position> {
    let game = |position: &PositionData| position.game().ok();
    let (game, is_whole) = match serde_json::from_str(question).map(|Asked { question, .. }| question) {
        Ok(Question::Endings { position } | Question::EndingMove { position, .. }) => {
            (game(&position), false)
        }
        Ok(Question::Review { position, .. }) => (game(&position), true),
        _ => (None, false),
    };
    let Some(mut game) = game else { return Vec::new() };
    let mut positions = vec![game.position().clone()];
    while is_whole && game.take_back().is_some() {
        positions.push(game.position().clone());
    }
    positions
}

impl Questions {
    /// Answers a question, or begins to.
    pub fn ask(&mut self, question: &str, session: &mut Session) {
        match serde_json::from_str(question) {
            Ok(Asked { ask, question }) => {
                if let Err(refusal) = self.begin(ask, question, session) {
                    self.refuse(ask, refusal);
                }
            }
            Err(error) => {
                let ask = serde_json::from_str(question).map_or(0, |Id { ask }| ask);
                self.refuse(ask, Refusal::new("engine.question", error));
            }
        }
    }

    fn begin(&mut self, ask: u32, question: Question, session: &mut Session) -> Result<(), Refusal> {
        match question {
            Question::Endings { position } => self.endings(ask, Waiting::Endings(position), session)?,
            Question::EndingMove { position, seed } => {
                self.endings(ask, Waiting::EndingMove(position, seed), session)?;
            }
            Question::Review { position, nodes, notation: name } => {
                let (game, notation) = (position.game()?, notation(name.as_deref())?);
                if nodes == 0 {
                    return Err(Refusal::new("engine.review", "a review needs nodes"));
                }
                self.interrupt_review();
                self.review = Some((ask, ReviewSearch::begin(session, &game, nodes, notation)));
            }
            Question::Names { position, lines, notation: name } => {
                let (game, notation) = (position.game()?, notation(name.as_deref())?);
                let named = |line: &Vec<String>| {
                    let mut game = game.clone();
                    let moves = line.iter().map(|text| {
                        let mv = game.position().parse_move(text).map_err(Refusal::position)?;
                        let name = move_name(&game, notation, mv);
                        game.play(mv).map_err(Refusal::position)?;
                        Ok(name)
                    });
                    moves.collect::<Result<Vec<_>, Refusal>>()
                };
                let names = lines.iter().map(named).collect::<Result<Vec<_>, Refusal>>()?;
                self.answer(ask, names);
            }
            Question::AcceptsDraw { chances: [win, draw, loss] } => {
                self.answer(ask, [accepts_draw([win, draw, loss]), accepts_draw([loss, draw, win])]);
            }
            Question::Settings { seed, without_count } => {
                session.set_seed(seed);
                session.set_ignores_count(without_count);
                self.answer(ask, ());
            }
        }
        Ok(())
    }

    /// Answers a question about endings, unless it must wait.
    fn endings(&mut self, ask: u32, question: Waiting, session: &Session) -> Result<(), Refusal> {
        let engine = session.engine();
        let is_answered = match &question {
            Waiting::Endings(position) => {
                let game = position.game()?;
                let endings = probed(engine, |tables| endings_of(&game, tables));
                endings.map(|endings| self.answer(ask, endings)).is_some()
            }
            Waiting::EndingMove(position, seed) => {
                let game = position.game()?;
                let mv = probed(engine, |tables| best_move(&game, *seed, tables));
                mv.map(|mv| self.answer(ask, mv)).is_some()
            }
        };
        if !is_answered {
            self.waiting.push_back((ask, question));
        }
        Ok(())
    }

    /// Works on the questions that wait, after a slice of the search. Returns whether one waits.
    pub fn step(&mut self, session: &mut Session) -> bool {
        if let Some((ask, question)) = self.waiting.pop_front()
            && let Err(refusal) = self.endings(ask, question, session)
        {
            self.refuse(ask, refusal);
        }
        if let Some((ask, mut review)) = self.review.take() {
            let before = review.progress();
            let report = review.step(session);
            let progress = review.progress();
            if progress != before {
                self.send::<()>(ask, Content::Progress(progress));
            }
            match report {
                Some(report) => self.answer(ask, report),
                None => self.review = Some((ask, review)),
            }
        }
        self.review.is_some() || !self.waiting.is_empty()
    }

    /// After a command: ends the review whose search it has stopped.
    pub fn end_stopped_review(&mut self) {
        if self.review.as_mut().is_some_and(|(_, review)| review.is_stopped()) {
            self.interrupt_review();
        }
    }

    fn interrupt_review(&mut self) {
        if let Some((ask, _)) = self.review.take() {
            self.refuse(ask, Refusal::new("engine.interrupted", "another search has begun"));
        }
    }

    /// Forgets a question.
    pub fn cancel(&mut self, id: u32, session: &mut Session) {
        self.waiting.retain(|&(ask, _)| ask != id);
        if self.review.take_if(|&mut (ask, _)| ask == id).is_some() {
            session.engine_mut();
        }
    }

    /// Removes the answers, one in each line.
    pub fn take_answers(&mut self) -> String {
        std::mem::take(&mut self.answers)
    }

    fn answer(&mut self, ask: u32, answer: impl Serialize) {
        self.send(ask, Content::Answer(answer));
    }

    fn refuse(&mut self, ask: u32, refusal: Refusal) {
        self.send::<()>(ask, Content::Error(refusal));
    }

    fn send<T: Serialize>(&mut self, ask: u32, content: Content<T>) {
        // Plain data with strings as keys are always valid JSON.
        self.answers += &serde_json::to_string(&Message { ask, content }).unwrap_or_default();
        self.answers.push('\n');
    }
}

#[cfg(test)]
mod tests;
