//! Mining from games and endings: what is found, what is rejected, and that a file does not depend on the run.

use std::fs;
use std::path::{Path, PathBuf};

use sakmak_dataset::games::{EndReason, GameRecord, GameResult, Header as GamesHeader, Ply, Writer};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::{Ending, Tablebases, build, build_order};
use sakmak_movegen::{Color, Position, Rules};
use sakmak_puzzles::check::check;
use sakmak_puzzles::mine::MineJob;
use sakmak_puzzles::proof::{Candidate, Prover, Rejection};
use sakmak_puzzles::puzzle::{Goal, Header, Puzzle, PuzzleFile, RateSettings, Source, VERSION, mirror_key};
use sakmak_puzzles::rate::RateJob;
use sakmak_puzzles::settings::Settings;
use sakmak_puzzles::themes::Theme;

fn settings() -> Settings {
    Settings { nodes: 200_000, ..Settings::default() }
}

fn header(files: &[PathBuf]) -> Header {
    Header {
        puzzles: VERSION,
        engine: "Sakmak".to_owned(),
        commit: None,
        signature: 0,
        seed: 5,
        settings: settings(),
        files: files.iter().map(|path| path.display().to_string()).collect(),
        skip: 0,
        rescore: 0,
        tablebases: Vec::new(),
        rated: None,
    }
}

/// The candidate after a move; `before` is the position in which it was played.
fn candidate(before: &str, mistake: &str) -> Candidate {
    let before = Position::from_fen(before).unwrap();
    let mv = before.parse_move(mistake).unwrap();
    let start = before.after(mv);
    let source = Source { file: Some(0), game: 0, ply: 0 };
    Candidate { mistake: Some((before, mv)), start, source }
}

fn prove(before: &str, mistake: &str) -> Result<Puzzle, Rejection> {
    let mut prover = Prover::new(&settings(), &Tablebases::default(), &DtmTables::default()).unwrap();
    prover.prove(&candidate(before, mistake)).unwrap()
}

/// Black's rua goes where a maa forks it and the khun, which a search of one node sees.
const FORK: (&str, &str) = ("7r/5k2/p7/p7/P1N1p3/P3P3/1S6/K7 b - - 0 40", "h8c8");
/// The met leaves, and a rua threatens to mate the khun from the side; the other rua can only put that off. No other move
/// is worth more than a draw, with a quarter to twice the nodes.
const NET: (&str, &str) = ("R7/8/1r3p1p/6pP/1P2PkP1/P1m2P2/5K2/8 b - - 1 59", "c3b2");

#[test]
fn what_anyone_sees_is_no_puzzle() {
    // The rua takes the maa; the other one takes back, which is all there is to it.
    let taken = "3r1s1k/8/5p2/3N4/8/5P2/5S2/3R2K1 b - - 0 40";
    assert_eq!(prove(taken, "d8d5").err(), Some(Rejection::Recapture));
    // One legal move.
    assert_eq!(prove("7k/1r6/8/8/8/2r5/8/K7 b - - 0 40", "c3c1").err(), Some(Rejection::Forced));
}

#[test]
fn a_motif_is_a_puzzle_for_beginners_even_if_one_node_finds_it() {
    let puzzle = prove(FORK.0, FORK.1).unwrap();
    assert!(puzzle.themes.contains(&Theme::MaaFork) && !puzzle.is_of_count(), "{puzzle:?}");
}

/// The tablebases of rua against one piece, in a folder.
fn tables(folder: &Path) -> Tablebases {
    let endings = ["KRvKM", "KRvKN"].map(|name| name.parse::<Ending>().unwrap());
    for ending in build_order(&endings) {
        let mut bytes = Vec::new();
        build(&ending, folder, 2, &mut bytes, &|_| ()).unwrap();
        fs::write(folder.join(format!("{ending}.sktb")), bytes).unwrap();
    }
    Tablebases::open([folder]).0
}

/// A job for at most ten games, with one thread.
fn job<'a>(
    header: &'a Header,
    files: &'a [PathBuf],
    path: &'a Path,
    tablebases: &'a Tablebases,
) -> MineJob<'a> {
    MineJob { header, files, games: 10, threads: 1, path, resume: false, tablebases }
}

fn mine(path: &Path, games: u64, threads: usize, resume: bool, tablebases: &Tablebases) -> Vec<u8> {
    let header = header(&[]);
    let job = MineJob { games, threads, resume, ..job(&header, &[], path, tablebases) };
    job.run(&mut |_| (), &mut |_| ()).unwrap();
    fs::read(path).unwrap()
}

#[test]
fn endings_are_the_same_for_any_threads_and_interruptions_and_pass_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(folder.path());
    let path = |name: &str| folder.path().join(name);
    let whole = mine(&path("one"), 1_500, 1, false, &tables);
    assert_eq!(whole, mine(&path("three"), 1_500, 3, false, &tables));
    mine(&path("parts"), 700, 2, false, &tables);
    // A line that was cut off is made again.
    let mut cut = fs::read(path("parts")).unwrap();
    cut.extend(b"{\"fen\":\"8/8");
    fs::write(path("parts"), cut).unwrap();
    assert_eq!(whole, mine(&path("parts"), 1_500, 1, true, &tables));

    let file = PuzzleFile::read(&whole).unwrap();
    assert!(file.puzzles.len() >= 5, "{}", file.puzzles.len());
    assert_eq!(file.tally.kept as usize, file.puzzles.len());
    assert!(file.puzzles.iter().all(Puzzle::is_of_count));
    let wrong = check(&file.puzzles, 10_000, 2, &tables, &mut |_, fault| assert_eq!(fault, None)).unwrap();
    assert_eq!(wrong, 0);

    // Another first move fails, and so does another end.
    let mut broken = file.puzzles.clone();
    for puzzle in &mut broken {
        let position = Position::from_fen(&puzzle.fen).unwrap();
        let mut others = position.legal_moves().into_iter().map(|mv| mv.to_string());
        let is_wrong = |mv: &String| *mv != puzzle.moves[0] && !puzzle.accepted.contains(mv);
        let other = others.find(is_wrong).unwrap();
        puzzle.moves = vec![other];
        puzzle.accepted.clear();
    }
    let wrong = check(&broken, 10_000, 2, &tables, &mut |_, _| ()).unwrap();
    assert_eq!(wrong, broken.len());

    let settings = RateSettings { levels: vec![600, 1_600], tries: 2, seed: 1 };
    let rate = |name: &str, threads: usize, resume: bool, reuse: &[PuzzleFile]| {
        let (file, out) = (&file, path(name));
        let job = RateJob { file, settings: &settings, threads, path: &out, resume, reuse };
        job.run(&mut |_| ()).unwrap();
        fs::read(out).unwrap()
    };
    let rated = rate("rated", 2, false, &[]);
    assert_eq!(rated, rate("rated", 1, true, &[]), "nothing is left to rate");
    let found = PuzzleFile::read(&rated).unwrap();
    assert_eq!(found.puzzles.len(), file.puzzles.len());
    assert!(found.puzzles.iter().all(|puzzle| puzzle.rating.is_some()));
    // Ratings of another run are taken as they stand.
    let mut other = found;
    other.puzzles[1].rating.as_mut().unwrap().elo = 4_321;
    rate("reused", 1, false, &[other]);
    let reused = PuzzleFile::read(&fs::read(path("reused")).unwrap()).unwrap();
    assert_eq!(reused.puzzles[1].rating.as_ref().unwrap().elo, 4_321);
}

#[test]
fn a_mistake_in_a_game_becomes_a_puzzle() {
    let (fen, mistake) = NET;
    let found = prove(fen, mistake);
    let puzzle = found.unwrap_or_else(|reason| panic!("rejected: {reason}"));
    assert_eq!((puzzle.moves[0].as_str(), puzzle.goal), ("a8a5", Goal::Win));
    assert!(puzzle.moves.len() >= 3, "{puzzle:?}");
    assert_eq!(puzzle.mistake.as_ref().map(|mistake| mistake.mv.as_str()), Some(mistake));
    assert!(puzzle.line().is_ok());

    // The same from a file of games, by its scores.
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.bin");
    let before = Position::from_fen(fen).unwrap();
    let mv = before.parse_move(mistake).unwrap();
    let reply = before.after(mv).parse_move("a8a5").unwrap();
    let plies = vec![Ply { mv, score: 0 }, Ply { mv: reply, score: 2_000 }];
    let game =
        GameRecord { start: before, result: GameResult::WhiteWins, reason: EndReason::MateScore, plies };
    let head = GamesHeader { rules: Rules::default(), runs: Vec::new(), imports: Vec::new() };
    let mut writer = Writer::new(Vec::new(), &head).unwrap();
    writer.write(&game).unwrap();
    // Its mirror image is no second puzzle.
    let turned = |mv: sakmak_movegen::Move| {
        sakmak_movegen::Move::new(mv.from().relative(Color::Black), mv.to().relative(Color::Black))
    };
    let plies = game.plies.iter().map(|ply| Ply { mv: turned(ply.mv), ..*ply }).collect();
    let mirrored = GameRecord { start: game.start.flipped(), result: GameResult::BlackWins, plies, ..game };
    writer.write(&mirrored).unwrap();
    fs::write(&games, writer.finish().unwrap()).unwrap();
    let files = [games];
    let header = header(&files);
    let path = folder.path().join("puzzles");
    let tablebases = Tablebases::default();
    let job = job(&header, &files, &path, &tablebases);
    let tally = job.run(&mut |_| (), &mut |_| ()).unwrap();
    assert_eq!((tally.games, tally.candidates, tally.kept), (2, 2, 1), "{tally:?}");
    assert_eq!(tally.rejected.get("duplicate"), Some(&1), "{tally:?}");
    let file = PuzzleFile::read(&fs::read(&path).unwrap()).unwrap();
    assert_eq!((&file.puzzles[0].fen, &file.puzzles[0].moves), (&puzzle.fen, &puzzle.moves));
}

#[test]
fn positions_of_an_epd_file_are_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let (fen, mistake) = NET;
    let before = Position::from_fen(fen).unwrap();
    let start = before.after(before.parse_move(mistake).unwrap());
    let files = [folder.path().join("positions.epd")];
    fs::write(&files[0], format!("# A comment\n{start} bm a8a5; id \"net\";\n")).unwrap();
    let (header, path) = (header(&files), folder.path().join("puzzles"));
    let tablebases = Tablebases::default();
    let job = job(&header, &files, &path, &tablebases);
    let tally = job.run(&mut |_| (), &mut |_| ()).unwrap();
    assert_eq!((tally.games, tally.candidates, tally.kept), (1, 1, 1), "{tally:?}");
    // Files of games with broken ones; a wrong name leaves no output behind.
    let pgn = [folder.path().join("games.pgn")];
    fs::write(&pgn[0], "1. e4 e5 *\n\n1. e4 e9 *\n\n").unwrap();
    let output = folder.path().join("of games");
    let mut broken = Vec::new();
    let of_games = MineJob { files: &pgn, path: &output, ..job };
    let error = of_games.run(&mut |game| broken.push(game.game), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("no scores"), "{error:#}");
    assert_eq!(broken, [2]);
    fs::write(&pgn[0], "notes\n").unwrap();
    let of_games = MineJob { path: &folder.path().join("of notes"), ..of_games };
    let tally = of_games.run(&mut |game| broken.push(game.game), &mut |_| ()).unwrap();
    assert_eq!((tally.games, &broken[1..]), (0, &[1][..]));
    let missing = [folder.path().join("missing")];
    let of_games = MineJob { files: &missing, path: &folder.path().join("of none"), ..of_games };
    assert!(of_games.run(&mut |_| (), &mut |_| ()).is_err());
    assert!(!folder.path().join("of none").exists());
    fs::write(&files[0], "8/8/8 w\n").unwrap();
    let other = folder.path().join("other");
    let error = MineJob { path: &other, ..job }.run(&mut |_| (), &mut |_| ()).unwrap_err();
    assert!(format!("{error:#}").contains("line 1"), "{error:#}");
}

#[test]
fn mirror_images_share_a_key() {
    let key = |fen: &str| mirror_key(&Position::from_fen(fen).unwrap());
    let one = key("8/5k2/8/8/2N5/8/8/K5R1 w - - 0 1");
    assert_eq!(one, key("8/2k5/8/8/5N2/8/8/1R5K w - - 0 1"), "files mirrored");
    assert_eq!(one, key("k5r1/8/8/2n5/8/8/5K2/8 b - - 0 1"), "colours exchanged");
    assert_ne!(one, key("8/5k2/8/8/2N5/8/8/K5R1 b - - 0 1"), "the other side to move");
}

#[test]
fn broken_files_are_refused() {
    assert!(PuzzleFile::read(b"").is_err());
    assert!(PuzzleFile::read(b"{}\n").is_err());
    let mut bytes = serde_json::to_vec(&header(&[])).unwrap();
    bytes.extend(b"\n{\"fen\":\n{\"tally\":{\"games\":1,\"positions\":1,\"candidates\":0,\"kept\":0,\"rejected\":{}}}\n");
    let error = PuzzleFile::read(&bytes).unwrap_err().to_string();
    assert!(error.contains("line 2 is damaged"), "{error}");
}
