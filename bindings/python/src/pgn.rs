//! Games in PGN: read into plain data, which the Python module `sakmak.pgn` makes a tree of, and written from it.

use std::io::Cursor;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sakmak_games::pgn::{PgnGame, PgnLine, PgnMove, PgnReader, PgnResult, PgnWriter, Tags};
use sakmak_games::{RULE_PARTS, ReadOptions, begin, obey_count, play, tagged_rules};
use sakmak_movegen::rules::RuleParts;
use sakmak_movegen::{Game, Rules, Ruleset};

use crate::board::Board;
use crate::errors;
use crate::types::PyMove;

/// The games of a text or file, one after another.
#[pyclass(module = "sakmak")]
pub(crate) struct GameReader {
    reader: PgnReader<Cursor<Vec<u8>>>,
    options: ReadOptions,
}

fn ruleset_of(name: Option<&str>) -> PyResult<Ruleset> {
    name.map_or(Ok(Ruleset::default()), str::parse).map_err(errors::of_rules)
}

/// Makes the moves of a record, and names each in UCI in place of its text.
fn resolve(record: &mut PgnGame, game: &mut Game) -> (Vec<String>, Option<String>) {
    obey_count(game, &record.comment);
    let played = play(game, &mut record.moves, None, &mut |_, mv, record: &mut PgnMove, _| {
        record.text = mv.to_string();
    });
    match played {
        Ok(warnings) => (warnings.iter().map(ToString::to_string).collect(), None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    }
}

fn line_of<'py>(py: Python<'py>, moves: &[PgnMove]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for record in moves {
        let variations = PyList::empty(py);
        for variation in &record.variations {
            variations.append((variation.comment.join(" "), line_of(py, &variation.moves)?))?;
        }
        list.append((&record.text, &record.nags, record.comments.join(" "), variations))?;
    }
    Ok(list)
}

#[pymethods]
impl GameReader {
    #[new]
    #[pyo3(signature = (data, ruleset=None))]
    fn new(data: Vec<u8>, ruleset: Option<&str>) -> PyResult<Self> {
        let ruleset = ruleset_of(ruleset)?;
        let options = ReadOptions { ruleset, rules_by_tags: true, ..ReadOptions::default() };
        Ok(Self { reader: PgnReader::new(Cursor::new(data)), options })
    }

    /// Changes the rules of the next games that name none.
    fn set_ruleset(&mut self, ruleset: Option<&str>) -> PyResult<()> {
        self.options.ruleset = ruleset_of(ruleset)?;
        Ok(())
    }

    /// The next game as `(headers, comment, moves, board, errors)`; `None` after the last one. A move is
    /// `(uci, nags, comment, variations)`, a variation `(comment, moves)`.
    fn read<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(record) = self.reader.next() else { return Ok(None) };
        let mut faults: Vec<String> = self.reader.take_warnings().iter().map(ToString::to_string).collect();
        let mut record = match record {
            Ok(record) => record,
            Err(error) => {
                faults.push(error.to_string());
                PgnGame::default()
            }
        };
        let options = self.options;
        let mut tags = record.tags.clone();
        if let Err(error) = tagged_rules(&tags, options.ruleset) {
            // The parts of another program, or of a newer version: variant, ruleset and FEN hold all the same.
            faults.push(error.to_string());
            tags.remove(RULE_PARTS);
        }
        let start = match begin(&tags, &options) {
            Ok(start) => start,
            Err(error) => {
                faults.push(error.to_string());
                record.moves.clear();
                begin(&Tags::default(), &options).ok().flatten()
            }
        };
        let mut game = start.map_or_else(|| Game::new(Rules::default()), |start| start.game);
        let first = game.clone();
        let (warnings, fault) = resolve(&mut record, &mut game);
        faults.extend(warnings);
        if let Some(fault) = fault {
            record.moves.truncate(game.len());
            faults.push(fault);
        }
        let headers = PyDict::new(py);
        for (name, value) in record.tags.iter() {
            headers.set_item(name, value)?;
        }
        if record.tags.get("Result").is_none() {
            headers.set_item("Result", record.result.to_string())?;
        }
        let tagged = tagged_rules(&tags, options.ruleset);
        let (ruleset, parts) = tagged.unwrap_or((options.ruleset, RuleParts::default()));
        let rules = parts.applied_to(Rules::new(first.rules().variant, ruleset));
        let board = Py::new(py, Board::of(rules, &parts.to_string(), first))?;
        let comment = record.comment.join(" ");
        let moves = line_of(py, &record.moves)?;
        Ok(Some((headers, comment, moves, board, faults).into_pyobject(py)?.into_any()))
    }
}

/// A move as Python gives it: name, NAGs, comment, variations.
type Node<'py> = (PyMove, Vec<u16>, String, Vec<(String, Bound<'py, PyList>)>);

fn comments(text: String) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { vec![text] }
}

/// The moves of a line from the present position of `game`, named in SAN.
fn moves_of(game: &mut Game, line: &Bound<'_, PyList>) -> PyResult<Vec<PgnMove>> {
    let plies = game.len();
    let mut moves = Vec::with_capacity(line.len());
    for node in line.iter() {
        let (mv, nags, comment, alternatives): Node<'_> = node.extract()?;
        let mv = mv.legal(game.position())?;
        let text = game.name(sakmak_movegen::Notation::San, mv);
        let mut variations = Vec::with_capacity(alternatives.len());
        for (comment, line) in alternatives {
            variations.push(PgnLine { comment: comments(comment), moves: moves_of(game, &line)? });
        }
        game.play_unchecked(mv);
        let comments = comments(comment);
        obey_count(game, &comments);
        moves.push(PgnMove { text, nags, comments, variations, line: 0 });
    }
    while game.len() > plies {
        game.take_back();
    }
    Ok(moves)
}

/// The text of a game, from the parts that `GameReader.read` returns.
#[pyfunction]
pub(crate) fn pgn_text(
    headers: Vec<(String, String)>,
    comment: String,
    moves: &Bound<'_, PyList>,
    board: PyRef<'_, Board>,
) -> PyResult<String> {
    let mut tags = Tags::default();
    headers.into_iter().for_each(|(name, value)| tags.set(name, value));
    let result = tags.get("Result").and_then(PgnResult::from_token).unwrap_or_default();
    let mut game = board.game()?.clone();
    let comment = comments(comment);
    obey_count(&mut game, &comment);
    let moves = moves_of(&mut game, moves)?;
    let record = PgnGame { tags, comment, moves, result, number: 0, line: 0 };
    let mut writer = PgnWriter::new(Vec::new());
    writer.write_game(&record).map_err(|error| PyValueError::new_err(error.to_string()))?;
    String::from_utf8(writer.into_inner()).map_err(|error| PyValueError::new_err(error.to_string()))
}
