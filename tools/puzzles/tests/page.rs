//! Lists: what is selected, how it is written for the page, and that the list of the page is consistent.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use sakmak_puzzles::check::{Fault, found_at_one_node, log_head, log_line, read_log};
use sakmak_puzzles::page;
use sakmak_puzzles::puzzle::{Goal, Header, Puzzle, PuzzleFile, Rating, Source, Tally, VERSION};
use sakmak_puzzles::select::{Choice, Limits, encoded, primary_theme, select};
use sakmak_puzzles::settings::Settings;
use sakmak_puzzles::themes::Theme;

fn puzzle(fen: &str, mv: &str, themes: &[Theme], elo: Option<i32>) -> Puzzle {
    Puzzle {
        fen: fen.to_owned(),
        mistake: None,
        moves: vec![mv.to_owned()],
        accepted: Vec::new(),
        goal: Goal::Win,
        themes: themes.to_vec(),
        margins: Vec::new(),
        nodes: 1,
        source: Source { file: None, game: 3, ply: 0 },
        rating: elo.map(|elo| Rating { elo, solved: Vec::new(), nodes: None }),
    }
}

fn file(puzzles: Vec<Puzzle>) -> PuzzleFile {
    let header = Header {
        puzzles: VERSION,
        engine: "Sakmak".to_owned(),
        commit: None,
        signature: 0,
        seed: 5,
        settings: Settings::default(),
        files: Vec::new(),
        skip: 0,
        rescore: 0,
        tablebases: Vec::new(),
        rated: None,
    };
    PuzzleFile { header, puzzles, tally: Tally::default(), length: 0 }
}

/// A khun and a rua against a khun, five times; the second is a mirror image of the first.
fn samples() -> Vec<Puzzle> {
    let count = [Theme::BeatCount];
    let mut puzzles = vec![
        puzzle("8/5k2/8/8/8/8/8/K5R1 w - - 0 1", "g1g5", &count, Some(900)),
        puzzle("8/2k5/8/8/8/8/8/1R5K w - - 0 1", "b1b5", &count, Some(900)),
        puzzle("8/5k2/8/8/8/8/8/KR6 w - - 0 1", "b1b5", &count, Some(1_000)),
        puzzle("8/5k2/8/8/8/8/R7/K7 w - - 0 1", "a2a3", &count, None),
        puzzle("8/5k2/8/8/8/8/R6s/K7 w - - 0 1", "a2h2", &[Theme::Fork], Some(1_100)),
    ];
    for (game, puzzle) in puzzles.iter_mut().enumerate() {
        puzzle.source.game = game as u64;
    }
    puzzles
}

#[test]
fn a_list_has_each_position_once_and_few_of_a_theme_of_the_count() {
    let files = [("one".to_owned(), file(samples())), ("two".to_owned(), file(samples()))];
    let none = HashSet::new();
    let limits = Limits { count_theme: 1, theme: 10, total: 10, rated: true };
    let (list, choice) = select(&files, &limits, &none).unwrap();
    assert_eq!(choice, Choice { read: 10, unrated: 2, duplicates: 5, of_theme: 1, ..Choice::default() });
    assert_eq!(list.puzzles.len(), 2);
    assert!(list.puzzles.iter().all(|puzzle| puzzle.source.file == Some(0)));
    assert_eq!(list.header.files, ["one", "two"]);
    let read = PuzzleFile::read(&encoded(&list).unwrap()).unwrap();
    assert_eq!(read.puzzles, list.puzzles);

    // Again with the same men in the same game.
    let mut again = samples();
    again[2].source.game = again[0].source.game;
    let (list, choice) = select(&[("one".to_owned(), file(again.clone()))], &limits, &none).unwrap();
    assert_eq!((list.puzzles.len(), choice.duplicates), (2, 2));

    // A list that does not know the games: the file from which it was made does.
    let mut unknown = vec![samples()[0].clone()];
    unknown[0].source.game = 99;
    let grown = [("list".to_owned(), file(unknown)), ("again".to_owned(), file(again))];
    let (list, choice) = select(&grown, &limits, &none).unwrap();
    assert_eq!((list.puzzles.len(), choice.duplicates), (2, 3));

    let limits = Limits { count_theme: 9, theme: 10, total: 3, rated: false };
    let (list, choice) = select(&files[..1], &limits, &none).unwrap();
    assert_eq!(choice, Choice { read: 5, duplicates: 1, beyond: 1, ..Choice::default() });
    assert!(list.puzzles.is_sorted_by_key(Puzzle::id));
    assert!(list.puzzles.iter().any(|puzzle| puzzle.themes == [Theme::Fork]), "the rare theme stays");
}

#[test]
fn what_a_check_found_wrong_is_left_out() {
    let samples = samples();
    let fault = Fault { index: 0, reason: "g1g6 is better".to_owned() };
    let log = [log_head(5_000), log_line(&samples[0], Some(&fault)), log_line(&samples[2], None)].concat();
    // The last line was cut off.
    let (results, whole) = read_log(&format!("{log}{} mo", samples[4].id())).unwrap();
    assert_eq!((results.len(), whole), (2, log.len()));
    let wrong: HashSet<String> =
        results.into_iter().filter(|(_, is_right)| !is_right).map(|(id, _)| id).collect();
    let limits = Limits { count_theme: 9, theme: 9, total: 9, rated: false };
    let (list, choice) = select(&[("one".to_owned(), file(samples.clone()))], &limits, &wrong).unwrap();
    assert_eq!((choice.wrong, choice.duplicates, list.puzzles.len()), (1, 0, 4));
    assert!(list.puzzles.iter().all(|puzzle| puzzle.id() != samples[0].id()));
    for (text, reason) in [("{}", "not a log"), ("", "not a log"), (&format!("{log}x\n"), "line 4")] {
        let error = read_log(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

/// At most seven forks by a rua and pins, each from another game.
fn of_games(numbers: [(Theme, usize); 2]) -> PuzzleFile {
    let themes = numbers.into_iter().flat_map(|(theme, number)| std::iter::repeat_n(theme, number));
    let one = |(game, theme): (usize, Theme)| {
        let rank = ["k7", "1k6", "2k5", "3k4", "4k3", "5k2", "6k1"][game];
        let fen = format!("{rank}/8/8/8/8/8/8/K6R w - - 0 1");
        let fen = if theme == Theme::Pin { fen.replace("K6R", "K6N") } else { fen };
        let mut one = puzzle(&fen, if theme == Theme::Pin { "h1g3" } else { "h1h2" }, &[theme], None);
        one.source.game = game as u64;
        one
    };
    file(themes.enumerate().map(one).collect())
}

#[test]
fn themes_of_games_take_turns() {
    let files = [("games".to_owned(), of_games([(Theme::Fork, 4), (Theme::Pin, 2)]))];
    let numbers = |theme: usize, total: usize| {
        let limits = Limits { count_theme: 9, theme, total, rated: false };
        let (list, choice) = select(&files, &limits, &HashSet::new()).unwrap();
        let number = |theme| list.puzzles.iter().filter(|puzzle| puzzle.themes == [theme]).count();
        (number(Theme::Fork), number(Theme::Pin), choice.of_theme, choice.beyond)
    };
    assert_eq!(numbers(9, 9), (4, 2, 0, 0));
    assert_eq!(numbers(9, 4), (2, 2, 0, 2), "the rare theme stays");
    assert_eq!(numbers(3, 9), (3, 2, 1, 0));
}

#[test]
fn no_puzzle_of_the_count_is_found_at_one_node() {
    // The met takes a rua for nothing.
    let mut easy = puzzle("8/5k2/8/8/4r3/3M4/8/K7 w - - 0 1", "d3e4", &[Theme::BeatCount], None);
    let mut hard = easy.clone();
    hard.moves = vec!["a1a2".to_owned()];
    assert_eq!(found_at_one_node(&[hard.clone(), easy.clone()]).unwrap(), [1]);
    hard.accepted = vec!["a1a2".to_owned(), "d3e4".to_owned()];
    assert_eq!(found_at_one_node(&[hard]).unwrap(), [0], "another right move");
    easy.themes = vec![Theme::Fork];
    assert!(found_at_one_node(&[easy]).unwrap().is_empty(), "beginners need them");
}

#[test]
fn a_list_of_the_page_is_read_again_and_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let limits = Limits { count_theme: 9, theme: 10, total: 10, rated: true };
    let (list, _) = select(&[("one".to_owned(), file(samples()))], &limits, &HashSet::new()).unwrap();
    let mut puzzles = list.puzzles;
    puzzles[1].accepted = vec![puzzles[1].moves[0].clone(), "a1b2".to_owned()];
    fs::write(folder.join("part-002.json"), "of a longer list").unwrap();
    let bytes = page::write(&puzzles, 2, folder, None).unwrap();
    assert!(page::write(&puzzles, 2, folder, Some(bytes - 1)).is_err());
    assert!(!folder.join("part-002.json").exists());

    let (index, found) = page::read(folder).unwrap();
    assert_eq!((index.count, index.size), (3, 2));
    assert!(
        index.ratings.iter().zip(&puzzles).all(|(elo, puzzle)| puzzle.rating.as_ref().unwrap().elo == *elo)
    );
    for (found, puzzle) in found.iter().zip(&puzzles) {
        assert_eq!((&found.fen, &found.moves, &found.themes), (&puzzle.fen, &puzzle.moves, &puzzle.themes));
        assert_eq!((&found.accepted, found.goal, found.id()), (&puzzle.accepted, puzzle.goal, puzzle.id()));
    }
    // A longer list begins with all of it.
    let files = [("page".to_owned(), page::read_file(folder).unwrap()), ("one".to_owned(), file(samples()))];
    let (again, choice) = select(&files, &limits, &HashSet::new()).unwrap();
    assert_eq!(
        again.puzzles.iter().map(Puzzle::id).collect::<Vec<_>>(),
        puzzles.iter().map(Puzzle::id).collect::<Vec<_>>()
    );
    assert_eq!(choice.duplicates, samples().len() - 1);

    let damaged = |name: &str, from: &str, to: &str| {
        let path = folder.join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let error = page::read(folder).unwrap_err();
        fs::write(&path, text).unwrap();
        format!("{error:#}")
    };
    assert!(damaged("part-001.json", " w - - 0 1", " w - - 0 2").contains("the hash of the content"));
    assert!(damaged("index.json", "\"count\":3", "\"count\":4").contains("not 4 ratings"));
    assert!(damaged("index.json", "\"format\":1", "\"format\":2").contains("format 2"));
    fs::write(folder.join("part-002.json"), "").unwrap();
    assert!(page::read(folder).is_err(), "a part too many");
    assert!(
        page::write(&[puzzle("8/5k2/8/8/8/8/R7/K7 w - - 0 1", "a2a3", &[], None)], 2, folder, None).is_err()
    );
}

/// The list in web/public/puzzles.
#[test]
fn the_list_of_the_page_is_consistent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/public/puzzles");
    let (index, puzzles) = page::read(&folder).unwrap();
    let mut numbers = BTreeMap::<Theme, usize>::new();
    for theme in puzzles.iter().filter_map(primary_theme).filter(|theme| theme.is_of_count()) {
        *numbers.entry(theme).or_default() += 1;
    }
    assert!(numbers.values().all(|&number| number <= 200), "{numbers:?}");
    // None when they were chosen; a later network sees a few more.
    let (found, of_count) = (found_at_one_node(&puzzles).unwrap().len(), numbers.values().sum::<usize>());
    assert!(10 * found <= of_count, "one node finds {found} of the {of_count} about the count");
    assert!(index.ratings.iter().all(|rating| (-500..=4_000).contains(rating)));
    assert!(puzzles.is_sorted_by_key(Puzzle::id));
}
