//! The trials.

use std::sync::{LazyLock, Mutex, PoisonError};

use libtest_mimic::{Completion, Trial};

use crate::common::arena::Running;
use crate::common::{Done, Folder, TempFile, run};
use crate::server::TestServer;

/// The server of all trials; it starts with the first one, and `stop` ends it.
static SERVER: LazyLock<Mutex<Option<Result<TestServer, String>>>> =
    LazyLock::new(|| Mutex::new(Some(TestServer::start())));

/// A trial on its own job.
fn trial(name: &'static str, test: fn(&TestServer, &str)) -> Trial {
    Trial::ignorable_test(name, move || {
        let server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
        match server.as_ref().expect("not stopped yet") {
            Ok(server) => {
                test(server, name);
                Ok(Completion::Completed)
            }
            Err(reason) => Ok(Completion::ignored_with(reason)),
        }
    })
}

/// Ends the server, as nothing drops what is static.
pub(crate) fn stop() {
    drop(SERVER.lock().unwrap_or_else(PoisonError::into_inner).take());
}

pub(crate) fn all() -> Vec<Trial> {
    vec![
        trial("merged_results_are_those_of_one_machine", one_machine),
        trial("a_piece_that_kills_its_worker_is_set_aside", set_aside),
        trial("a_signal_gives_the_piece_back", given_back),
        trial("a_lost_connection_comes_back", lost),
        trial("another_program_and_wrong_words_are_refused", refused),
    ]
}

/// The arguments of a command on a job.
fn words<'a>(server: &'a str, name: &'a str, what: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    [&["queue", what, "--url", server, "--name", name], rest].concat()
}

fn queue(server: &TestServer, name: &str, what: &str, rest: &[&str]) -> Done {
    run(&words(&server.url(), name, what, rest), "")
}

fn start_worker(server: &TestServer, name: &str) -> Running {
    Running::start(&words(&server.url(), name, "work", &["--threads", "1"]))
}

/// The pieces of a job in a state, with so many attempts.
fn pieces(server: &TestServer, name: &str, state: &str, attempts: u32) -> i64 {
    server.number(&format!(
        "SELECT count(*) FROM sakmak_pieces JOIN sakmak_jobs ON job = id
         WHERE name = '{name}' AND state = '{state}' AND attempts = {attempts}"
    ))
}

/// A job with a piece that takes minutes.
fn long_job(server: &TestServer, name: &str) -> TempFile {
    let file = TempFile::new("long.fen", "startpos\n");
    queue(server, name, "init", &["evaluate", "--movetime", "600000", file.path()]).ok();
    file
}

/// A game of some moves, repeated.
fn games(count: usize) -> TempFile {
    let game = |number| {
        let broken = if number % 7 == 3 { "Rxh8 " } else { "" };
        format!("[Event \"{number}\"]\n\n1. e4 d5 {broken}2. exd5 exd5 *\n\n")
    };
    TempFile::new("games.pgn", (0..count).map(game).collect::<String>())
}

fn one_machine(server: &TestServer, name: &str) {
    let (games, folder) = (games(20), Folder::new());
    let files = ["alone.pgn", "alone.json", "merged.pgn", "merged.json"].map(|name| folder.file(name));
    let [alone, alone_json, merged, merged_json] = &files;
    let effort = ["--nodes", "500"];
    let annotate = ["annotate", games.path(), "--out", alone, "--json", alone_json];
    run(&[&annotate[..], &effort].concat(), "").fails(1, "not legal");

    let words = [&["--size", "2", "annotate", "--json", games.path()], &effort[..]].concat();
    queue(server, name, "init", &words).ok();
    queue(server, name, "init", &words).fails(2, "there is a job");
    queue(server, name, "merge", &["--out", merged]).fails(2, "pieces are missing");
    // One is killed at its first piece; two others do the rest.
    let mut killed = start_worker(server, name);
    killed.wait_for(|| pieces(server, name, "working", 1) + pieces(server, name, "done", 1) > 0);
    killed.kill();
    let [mut one, mut two] = [(); 2].map(|()| start_worker(server, name));
    assert!(one.wait().success() && two.wait().success());
    queue(server, name, "merge", &["--out", merged, "--json", merged_json]).fails(1, "3 games");
    let [alone, alone_json, merged, merged_json] =
        files.each_ref().map(|file| std::fs::read(file).expect("a file"));
    assert!(alone == merged && alone_json == merged_json && !alone_json.is_empty());
    let status = queue(server, name, "status", &[]).ok().out;
    assert!(status.contains(" 0 working, 0 left, 0 failed\n20 of 20 games"), "{status}");
    queue(server, name, "drop", &[]).ok();
    queue(server, name, "status", &[]).fails(2, "there is no job");
}

fn set_aside(server: &TestServer, name: &str) {
    let _file = long_job(server, name);
    for attempt in 1..=3 {
        let mut worker = start_worker(server, name);
        worker.wait_for(|| pieces(server, name, "working", attempt) == 1);
        worker.kill();
    }
    queue(server, name, "work", &[]).fails(1, "set aside");
    let status = queue(server, name, "status", &[]).ok().out;
    assert!(status.contains("its worker ended 3 times without a result"), "{status}");
    let folder = Folder::new();
    let out = folder.file("out");
    queue(server, name, "merge", &["--out", &out]).fails(2, "1 pieces are missing");
    queue(server, name, "merge", &["--out", &out, "--partial"]).ok().says("0 of 1 pieces");
    queue(server, name, "retry", &[]).ok().says("1 pieces");
    assert_eq!(pieces(server, name, "left", 0), 1);
}

fn given_back(server: &TestServer, name: &str) {
    let _file = long_job(server, name);
    let mut worker = start_worker(server, name);
    worker.wait_for(|| pieces(server, name, "working", 1) == 1);
    worker.signal("TERM");
    assert!(worker.wait().success());
    assert_eq!(pieces(server, name, "left", 0), 1);
}

fn lost(server: &TestServer, name: &str) {
    let file = TempFile::new("short.fen", "startpos\n");
    queue(server, name, "init", &["evaluate", "--movetime", "1500", file.path()]).ok();
    let mut worker = start_worker(server, name);
    worker.wait_for(|| pieces(server, name, "working", 1) == 1);
    assert!(server.control("stop") && worker.is_running() && server.control("start"));
    assert!(worker.wait().success());
    // The server may have forgotten the claim, but not the piece.
    let done =
        "SELECT count(*) FROM sakmak_pieces JOIN sakmak_jobs ON job = id WHERE state = 'done' AND name";
    assert_eq!(server.number(&format!("{done} = '{name}'")), 1);
}

fn refused(server: &TestServer, name: &str) {
    let file = TempFile::new("short.fen", "startpos\n");
    let init = |words: &[&str]| queue(server, name, "init", words);
    init(&["evaluate", "--threads", "2", file.path()]).fails(2, "--threads");
    init(&["evaluate", "-"]).fails(2, "standard input");
    init(&["evaluate", "absent.fen"]).fails(2, "absent.fen");
    init(&["evaluate", "--nodes", "100", file.path()]).ok();
    server.number(&format!(
        "WITH made AS (UPDATE sakmak_jobs SET program = 'another' WHERE name = '{name}' RETURNING 1)
         SELECT count(*) FROM made"
    ));
    queue(server, name, "work", &[]).fails(2, "the job was made by another");
    let wrong = "postgresql://me:secret@127.0.0.1:1/x";
    let done = run(&words(wrong, name, "status", &[]), "").fails(2, "server");
    assert!(!done.err.contains("secret"), "{}", done.err);
}
