//! PGN as trees of JavaScript objects.

use js_sys::{Array, JsString, Object, Reflect};
use sakmak_games::pgn::{MAX_NESTING, PgnGame, PgnLine, PgnMove, PgnReader, PgnResult, PgnWriter, Tags};
use sakmak_games::{ReadOptions, begin, move_name, obey_count, play, start_tags, tagged_rules};
use sakmak_js_common::{Fault, notation};
use sakmak_movegen::rules::RuleParts;
use sakmak_movegen::{Game, Notation, Ruleset, Variant};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

fn object(fields: impl IntoIterator<Item = (&'static str, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // A new object takes every property.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

fn texts(texts: &[String]) -> JsValue {
    texts.iter().map(|text| JsString::from(text.as_str())).collect::<Array>().into()
}

/// Reads all games of a text. Each is an object with `headers` (names and values in turn), `variant`, `ruleset`, `parts`,
/// `fen`, `comments`, `moves`, `result`, `line`, `warnings`, and `error` if it could not be read to its end.
#[wasm_bindgen(js_name = readPgn)]
pub fn read_pgn(text: &str, variant: Option<String>, ruleset: &str, by: usize) -> Result<Array, JsValue> {
    let options = ReadOptions {
        variant: variant.map(|name| name.parse()).transpose().map_err(Fault::from)?,
        ruleset: ruleset.parse().map_err(Fault::from)?,
        rules_by_tags: true,
        ..ReadOptions::default()
    };
    let mut reader = PgnReader::new(text.as_bytes());
    let games = Array::new();
    while let Some(read) = reader.next() {
        let warnings: Array =
            reader.take_warnings().into_iter().map(|one| JsValue::from(Fault::from(one))).collect();
        let game = match read {
            Ok(game) => read_game(game, options, notation(by), &warnings),
            Err(error) => {
                let line = reader.game_line() as f64;
                let error = Fault::from(error);
                Some(failed(&PgnGame::default(), line, error, &warnings))
            }
        };
        if let Some(game) = game {
            games.push(&game);
        }
    }
    Ok(games)
}

/// A game without moves, for one that could not be read at all.
fn failed(game: &PgnGame, line: f64, error: Fault, warnings: &Array) -> JsValue {
    object([
        ("headers", headers(&game.tags)),
        ("variant", Variant::default().name().into()),
        ("ruleset", Ruleset::default().name().into()),
        ("parts", "".into()),
        ("fen", Game::new(sakmak_movegen::Rules::default()).marked_fen().into()),
        ("comments", texts(&game.comment)),
        ("moves", Array::new().into()),
        ("result", game.result.to_string().into()),
        ("line", line.into()),
        ("warnings", warnings.into()),
        ("error", error.into()),
    ])
}

fn headers(tags: &Tags) -> JsValue {
    tags.iter().flat_map(|(name, value)| [name, value]).map(JsString::from).collect::<Array>().into()
}

/// A game with its moves; `None` if it is of another variant than the one wanted.
fn read_game(
    mut pgn: PgnGame,
    options: ReadOptions,
    notation: Notation,
    warnings: &Array,
) -> Option<JsValue> {
    let start = match begin(&pgn.tags, &options) {
        Ok(start) => start?.game,
        Err(error) => return Some(failed(&pgn, pgn.line as f64, error.into(), warnings)),
    };
    // `begin` has read the tags already.
    let tagged = tagged_rules(&pgn.tags, options.ruleset);
    let (ruleset, parts) = tagged.unwrap_or((options.ruleset, RuleParts::default()));
    let mut game = start.clone();
    obey_count(&mut game, &pgn.comment);
    let played = play(&mut game, &mut pgn.moves, Some(notation), &mut |_, _, _, _| ());
    pgn.moves.truncate(game.len());
    let mut fields = vec![
        ("headers", headers(&pgn.tags)),
        ("variant", start.rules().variant.name().into()),
        ("ruleset", ruleset.name().into()),
        ("parts", parts.to_string().into()),
        ("fen", start.marked_fen().into()),
        ("comments", texts(&pgn.comment)),
        ("moves", line(&mut start.clone(), &pgn.moves, notation)),
        ("result", pgn.result.to_string().into()),
        ("line", (pgn.line as f64).into()),
        ("warnings", warnings.into()),
    ];
    match played {
        Ok(more) => {
            for warning in more {
                warnings.push(&JsValue::from(Fault::from(warning)));
            }
        }
        Err(error) => fields.push(("error", Fault::from(error).into())),
    }
    Some(object(fields))
}

/// The moves of a line that has been played before. Variations that could not be played are comments by then; one
/// behind the first fault of a main line, which was never played, is cut at its own fault.
fn line(game: &mut Game, moves: &[PgnMove], notation: Notation) -> JsValue {
    let plies = game.len();
    let list = Array::new();
    for one in moves {
        let Ok(mv) = notation.read(game.position(), &one.text, game.promoted()) else { break };
        let variations: Array = one
            .variations
            .iter()
            .map(|variation| {
                let moves = line(game, &variation.moves, notation);
                object([("comments", texts(&variation.comment)), ("moves", moves)])
            })
            .collect();
        list.push(&object([
            ("uci", mv.to_string().into()),
            ("san", game.name(Notation::San, mv).into()),
            ("nags", one.nags.iter().map(|&nag| JsValue::from(nag)).collect::<Array>().into()),
            ("comments", texts(&one.comments)),
            ("variations", variations.into()),
        ]));
        game.play_unchecked(mv);
    }
    while game.len() > plies {
        game.take_back();
    }
    list.into()
}

/// The tags for the rules and the start of a game, names and values in turn.
pub(crate) fn start_headers(game: &Game, ruleset: Ruleset) -> JsValue {
    headers(&start_tags(&game.initial(), Some(ruleset)))
}

/// Writes a game: `game` is an object like those of [`read_pgn`]. The moves are read from their `uci` or `san` and
/// written in a notation.
///
/// # Errors
/// If the start or a move is wrong, or a text cannot be written.
#[wasm_bindgen(js_name = writePgn)]
pub fn write_pgn(game: &JsValue, by: usize) -> Result<String, JsValue> {
    let mut pgn = PgnGame { comment: strings(game, "comments"), ..PgnGame::default() };
    let headers = strings(game, "headers");
    for pair in headers.chunks_exact(2) {
        pgn.tags.set(&*pair[0], &*pair[1]);
    }
    let result = string(game, "result").unwrap_or_else(|| "*".to_owned());
    let wrong = || Fault::new("pgn.result", format!("'{result}' is no result")).arg("text", &result);
    pgn.result = PgnResult::from_token(&result).ok_or_else(wrong)?;
    let ruleset = string(game, "ruleset").map(|name| name.parse()).transpose().map_err(Fault::from)?;
    let options =
        ReadOptions { ruleset: ruleset.unwrap_or_default(), rules_by_tags: true, ..ReadOptions::default() };
    // Without a wanted variant every game has a start.
    let start = begin(&pgn.tags, &options).map_err(Fault::from)?.map(|start| start.game);
    let mut start = start.unwrap_or_else(|| Game::new(sakmak_movegen::Rules::default()));
    pgn.moves = written_moves(&mut start, game, notation(by), 0)?;
    let mut writer = PgnWriter::new(Vec::new());
    writer.write_game(&pgn).map_err(|error| Fault::new("pgn.write", error))?;
    Ok(String::from_utf8_lossy(&writer.into_inner()).into_owned())
}

/// The moves of a line, played on `game` and taken back again.
fn written_moves(
    game: &mut Game,
    line: &JsValue,
    notation: Notation,
    depth: usize,
) -> Result<Vec<PgnMove>, Fault> {
    if depth > MAX_NESTING {
        return Err(Fault::new("pgn.nesting", format!("variations nested more than {MAX_NESTING} deep")));
    }
    let plies = game.len();
    let mut moves = Vec::new();
    for one in array(line, "moves").iter() {
        let text = string(&one, "uci").or_else(|| string(&one, "san")).unwrap_or_default();
        let mv = Notation::San.read(game.position(), &text, game.promoted())?;
        let mut variations = Vec::new();
        for variation in array(&one, "variations").iter() {
            let moves = written_moves(game, &variation, notation, depth + 1)?;
            variations.push(PgnLine { comment: strings(&variation, "comments"), moves });
        }
        let nags = array(&one, "nags").iter().filter_map(|nag| nag.as_f64()).map(|nag| nag as u16).collect();
        moves.push(PgnMove {
            text: move_name(game, notation, mv),
            nags,
            comments: strings(&one, "comments"),
            variations,
            line: 0,
        });
        game.play_unchecked(mv);
    }
    while game.len() > plies {
        game.take_back();
    }
    Ok(moves)
}

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

fn string(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

fn array(object: &JsValue, name: &str) -> Array {
    let value = get(object, name);
    if Array::is_array(&value) { Array::from(&value) } else { Array::new() }
}

fn strings(object: &JsValue, name: &str) -> Vec<String> {
    array(object, name).iter().filter_map(|one| one.as_string()).collect()
}
