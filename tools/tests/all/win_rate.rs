//! The command `datagen winrate`.

use sakmak_dataset::games::GameResult;
use sakmak_movegen::Color;

use crate::common::{Done, TempFile, run};
use crate::train::{file_of, random_game};

/// Random games, won by the side that is at least a rua ahead at the end.
fn file_of_games(name: &str, number: u64) -> TempFile {
    let with_result = |seed| {
        let mut game = random_game(seed);
        let last = game.plies.last().map_or(0, |ply| i32::from(ply.score));
        let white = if game.plies.len() % 2 == 1 { last } else { -last };
        game.result = match white {
            500.. => GameResult::won_by(Color::White),
            ..=-500 => GameResult::won_by(Color::Black),
            _ => GameResult::Draw,
        };
        game
    };
    file_of(name, (0..number).map(with_result))
}

fn win_rate(args: &[&str]) -> Done {
    run(&[&["datagen", "winrate"], args].concat(), "")
}

#[test]
fn the_fitted_chances_are_those_of_the_games() {
    let games = file_of_games("winrate.games", 300);
    let done = win_rate(&[games.path()]).ok();
    let half = done.out.lines().find(|line| line.starts_with("half won at move 32")).expect("the unit");
    let half: u32 = half.split_whitespace().nth(5).expect("a number").parse().expect("a number");
    assert!((100..5_000).contains(&half), "{}", done.out);
    let loss = done.out.lines().find(|line| line.starts_with("loss ")).expect("the loss");
    let losses = loss.split(&[' ', ',']).filter_map(|word| word.parse().ok()).collect::<Vec<f64>>();
    assert!(matches!(losses[..], [fitted, in_use] if 0.0 < fitted && fitted < in_use), "{}", done.out);
    // Cells of the printed table: found and predicted percentages.
    let table = done.out.split("material  count").nth(1).expect("the table");
    let cells = table.split_whitespace().filter_map(|cell| cell.split_once('/'));
    let cells: Vec<(f64, f64)> =
        cells.map(|(found, model)| (found.parse().expect("%"), model.parse().expect("%"))).collect();
    assert!(cells.len() > 10, "{}", done.out);
    let error = cells.iter().map(|(found, model)| (found - model).abs()).sum::<f64>() / cells.len() as f64;
    assert!(error < 8.0, "{error}: {}", done.out);
    assert!(cells.iter().any(|cell| cell.0 > 30.0) && cells.iter().any(|cell| cell.0 < 10.0), "{}", done.out);
}

#[test]
fn games_that_determine_nothing_are_refused() {
    let none = file_of_games("winrate-none.games", 0);
    win_rate(&[none.path()]).fails(1, "do not determine");
    win_rate(&["no such file"]).fails(1, "no such file");
}
