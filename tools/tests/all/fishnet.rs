//! The command `fishnet` against a small server: no job is lost, none is answered twice.

use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::common::{TempFile, run};

/// A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);
const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

/// How the server behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    Well,
    /// It closes each connection without an answer.
    Down,
    /// It takes a result, and closes the connection without an answer.
    Mute,
    /// It gives a job up at the first report of progress, as if the game were gone.
    GivesUp,
    /// It answers with this status.
    Answers(u16),
}

/// What the server knows. Works like that of pychess.org: a job leaves with its result, comes back by an abort, and is
/// handed out again if no other job is there and `is_stale` was set for it.
struct Books {
    mood: Mood,
    queue: VecDeque<String>,
    jobs: HashMap<String, Value>,
    stale: VecDeque<String>,
    /// Results taken, and the requests by kind.
    answers: HashMap<String, Vec<Value>>,
    aborts: Vec<(String, String)>,
    requests: HashMap<String, usize>,
    /// Jobs handed out and not yet answered or aborted.
    out: Vec<String>,
    /// Reports of progress.
    progress: Vec<Value>,
    /// Reports about jobs that are not there.
    late: Vec<String>,
}

#[derive(Clone)]
struct Server {
    address: String,
    books: Arc<(Mutex<Books>, Condvar)>,
}

impl Server {
    fn start(jobs: Vec<Value>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let queue = jobs.iter().map(|job| id(job).to_owned()).collect();
        let jobs = jobs.into_iter().map(|job| (id(&job).to_owned(), job)).collect();
        let books = Books {
            mood: Mood::Well,
            queue,
            jobs,
            stale: VecDeque::new(),
            answers: HashMap::new(),
            aborts: Vec::new(),
            requests: HashMap::new(),
            out: Vec::new(),
            progress: Vec::new(),
            late: Vec::new(),
        };
        let server = Self { address, books: Arc::new((Mutex::new(books), Condvar::new())) };
        let serving = server.clone();
        // Ends with the test program.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = serving.clone();
                thread::spawn(move || server.serve(stream));
            }
        });
        server
    }

    fn lock(&self) -> MutexGuard<'_, Books> {
        self.books.0.lock().expect("no test thread panicked")
    }

    fn set(&self, mood: Mood) {
        self.lock().mood = mood;
    }

    /// Waits until the books show this.
    #[track_caller]
    fn wait(&self, what: &str, is_so: impl Fn(&Books) -> bool) {
        let (_books, timeout) = self
            .books
            .1
            .wait_timeout_while(self.lock(), PATIENCE, |books| !is_so(books))
            .expect("no test thread panicked");
        assert!(!timeout.timed_out(), "{what} did not happen");
    }

    /// Answers the requests of a connection.
    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
        while let Some((path, body)) = read_request(&mut reader) {
            let answer = self.answer(&path, &body);
            self.books.1.notify_all();
            let Some((status, text)) = answer else {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            };
            let retry = if status == 429 { "Retry-After: 1\r\n" } else { "" };
            let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{retry}\r\n", text.len());
            if (&stream).write_all((head + &text).as_bytes()).is_err() {
                return;
            }
        }
    }

    /// Status and text of the answer; `None` closes the connection.
    fn answer(&self, path: &str, body: &Value) -> Option<(u16, String)> {
        let mut books = self.lock();
        let path = path.trim_start_matches("/fishnet/").split('?').next().unwrap_or_default();
        let (kind, id) = path.split_once('/').unwrap_or((path, ""));
        *books.requests.entry(kind.to_owned()).or_default() += 1;
        match books.mood {
            Mood::Down => return None,
            Mood::Answers(status) => return Some((status, String::new())),
            Mood::Well | Mood::Mute | Mood::GivesUp => {}
        }
        if kind == "key" {
            return Some((if id == "secret" { 200 } else { 404 }, String::new()));
        }
        assert_eq!(body["fishnet"]["apikey"], "secret", "{body}");
        if kind == "abort" {
            let reason = body["error"]["reason"].as_str().expect("a reason").to_owned();
            books.aborts.push((id.to_owned(), reason));
            if books.jobs.contains_key(id) {
                books.queue.push_back(id.to_owned());
                books.out.retain(|out| out != id);
            }
            return Some((204, String::new()));
        }
        if kind != "acquire" && books.jobs.contains_key(id) {
            let result = if kind == "move" { &body["move"] } else { &body["analysis"] };
            if result.as_array().is_some_and(|rows| rows.contains(&Value::Null)) {
                books.progress.push(result.clone());
                if books.mood != Mood::GivesUp {
                    return Some((204, String::new()));
                }
            } else {
                books.answers.entry(id.to_owned()).or_default().push(result.clone());
            }
            books.jobs.remove(id);
            books.out.retain(|out| out != id);
        } else if kind != "acquire" {
            books.late.push(id.to_owned());
        }
        if books.mood == Mood::Mute && kind != "acquire" {
            return None;
        }
        let next = books.queue.pop_front().or_else(|| books.stale.pop_front());
        match next.and_then(|next| books.jobs.get(&next).cloned()) {
            Some(job) => {
                books.out.push(self::id(&job).to_owned());
                Some((202, job.to_string()))
            }
            None => Some((204, String::new())),
        }
    }
}

fn id(job: &Value) -> &str {
    job["work"]["id"].as_str().expect("a name")
}

/// Path and body of the next request; `None` at the end of the connection.
fn read_request(reader: &mut impl BufRead) -> Option<(String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|&bytes| bytes > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|&bytes| bytes > 0)?;
        if header.trim().is_empty() {
            break;
        }
        let (name, value) = header.split_once(':')?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

fn move_job(number: usize) -> Value {
    let moves = ["", "e3e4", "e3e4 d6d5", "a3a4 a6a5 b3b4"][number % 4];
    json!({
        "work": {"type": "move", "id": format!("m{number}"), "level": number % 3 + 1},
        "game_id": "g", "position": START, "variant": "makruk", "chess960": false, "moves": moves, "nnue": true,
    })
}

fn analysis_job(number: usize, nodes: u64, skip: &[usize]) -> Value {
    json!({
        "work": {"type": "analysis", "id": format!("a{number}")}, "username": "u",
        "game_id": "g", "position": START, "variant": "cambodian", "moves": "e3e4 d6d5 e4d5", "nodes": nodes,
        "skipPositions": skip,
    })
}

/// The program at work.
struct Worker {
    child: Child,
    /// Read at the begin.
    _key: TempFile,
}

impl Worker {
    fn start(server: &Server, cores: &str, more: &[&str]) -> Self {
        let key = TempFile::new("key", "secret\n");
        let endpoint = format!("http://{}/fishnet/", server.address);
        let child = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"))
            .args(["fishnet", "--endpoint", &endpoint, "--key-file", key.path()])
            .args(["--cores", cores, "--hash", "1", "--poll", "0.2", "--retry", "0.4"])
            .args(more)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        Self { child, _key: key }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("the program runs");
    }

    /// Exit status and messages.
    fn end(mut self) -> (ExitStatus, String) {
        let mut messages = String::new();
        let mut stderr = self.child.stderr.take().expect("a pipe");
        stderr.read_to_string(&mut messages).expect("UTF-8");
        (self.child.wait().expect("the program ends"), messages)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Each job has one answer, and no job is there any more.
#[track_caller]
fn assert_answered_once(books: &Books, jobs: usize) {
    assert!(books.jobs.is_empty() && books.out.is_empty(), "lost: {:?}", books.jobs.keys());
    assert_eq!(books.answers.len(), jobs);
    assert!(books.answers.values().all(|answers| answers.len() == 1));
}

#[test]
fn no_job_is_lost_and_none_answered_twice_while_the_server_is_away() {
    let mut jobs: Vec<_> = (0..24).map(move_job).collect();
    jobs.extend((0..4).map(|number| analysis_job(number, 2000, &[1])));
    let server = Server::start(jobs);
    let worker = Worker::start(&server, "2", &["--seed", "1"]);
    server.wait("the first answers", |books| books.answers.len() >= 4);
    let asked = |books: &Books| books.requests.values().sum::<usize>();
    for mood in [Mood::Down, Mood::Answers(503), Mood::Answers(429)] {
        let before = asked(&server.lock());
        server.set(mood);
        server.wait("two more requests", |books| asked(books) >= before + 2);
        let stale = server.lock().out.clone();
        // The server believes these jobs lost; the workers have them in hand or finished.
        server.lock().stale.extend(stale);
        server.set(Mood::Well);
        let answered = server.lock().answers.len();
        server.wait("more answers", |books| books.answers.len() >= (answered + 2).min(28));
    }
    server.wait("all answers", |books| books.answers.len() == 28);
    worker.signal(Signal::INT);
    let (status, messages) = worker.end();
    assert_eq!(status.code(), Some(0), "{messages}");
    for words in
        ["no answer", "503", "too many requests", "24 moves, 4 analyses with 12 positions", "0 jobs aborted"]
    {
        assert!(messages.contains(words), "no '{words}' in {messages}");
    }
    let books = server.lock();
    assert_answered_once(&books, 28);
    assert_eq!(books.late, Vec::<String>::new());
    let rows = &books.answers["a0"][0];
    assert_eq!(rows[1], json!({"skipped": true}));
    assert!(rows[0]["score"]["cp"].is_i64() && rows[3]["pv"].is_string(), "{rows}");
    // The same job and seed, the same move.
    assert_eq!(books.answers["m0"], books.answers["m12"]);
}

#[test]
fn an_answer_that_was_lost_is_sent_again() {
    let server = Server::start((0..2).map(move_job).collect());
    server.set(Mood::Mute);
    let worker = Worker::start(&server, "2", &[]);
    server.wait("a second try", |books| books.late.len() >= 2);
    server.set(Mood::Well);
    server.lock().queue.push_back("m2".into());
    server.lock().jobs.insert("m2".into(), move_job(2));
    server.wait("the next job", |books| books.answers.contains_key("m2"));
    worker.signal(Signal::INT);
    assert_eq!(worker.end().0.code(), Some(0));
    assert_answered_once(&server.lock(), 3);
}

#[test]
fn signals_finish_or_give_back_the_jobs_in_hand() {
    // A billion nodes end after the time for a position, four seconds.
    let long = |number| analysis_job(number, 1_000_000_000, &[]);
    let server = Server::start(vec![long(0), long(1), move_job(0)]);
    let worker = Worker::start(&server, "2", &["--verbose"]);
    server.wait("two jobs in hand", |books| books.out.len() == 2);
    worker.signal(Signal::TERM);
    let (status, messages) = worker.end();
    assert_eq!(status.code(), Some(0), "{messages}");
    assert!(messages.contains("this worker stops") && messages.contains("2 jobs aborted"), "{messages}");
    {
        let mut books = server.lock();
        assert_eq!((books.jobs.len(), books.out.len(), books.answers.len()), (3, 0, 0));
        let mut aborts: Vec<_> = std::mem::take(&mut books.aborts);
        aborts.sort();
        let stopped = |id: &str| (id.to_owned(), "shutdown".to_owned());
        assert_eq!(aborts, [stopped("a0"), stopped("a1")]);
        // The next worker has the short job, and shorter ones in place of the long ones.
        books.jobs.insert("a0".into(), analysis_job(0, 1000, &[]));
        books.jobs.insert("a1".into(), analysis_job(1, 1000, &[]));
    }
    let worker = Worker::start(&server, "1", &[]);
    server.wait("an answer", |books| !books.answers.is_empty());
    worker.signal(Signal::INT);
    assert_eq!(worker.end().0.code(), Some(0));
    let books = server.lock();
    // What the answer to the last result brought was given back.
    assert_eq!(books.out, Vec::<String>::new());
    assert_eq!(books.jobs.len() + books.answers.len(), 3);
}

#[test]
fn jobs_that_cannot_be_done_are_given_back_with_the_reason() {
    let mut shogi = move_job(0);
    shogi["variant"] = "shogi".into();
    let broken = json!({"work": {"type": "move", "id": "broken"}, "position": 7});
    let server = Server::start(vec![shogi, broken, move_job(1)]);
    let worker = Worker::start(&server, "1", &[]);
    server.wait("both aborts, and the move", |books| {
        let aborted = |name| books.aborts.iter().any(|(id, _)| id == name);
        aborted("m0") && aborted("broken") && books.answers.contains_key("m1")
    });
    worker.signal(Signal::TERM);
    let (status, messages) = worker.end();
    assert_eq!(status.code(), Some(0), "{messages}");
    for words in ["does not play shogi, only makruk, cambodian, makpong", "other workers", "cannot be read"] {
        assert!(messages.contains(words), "no '{words}' in {messages}");
    }
}

#[test]
fn progress_is_reported_and_a_job_that_is_gone_is_given_up() {
    let server = Server::start(vec![analysis_job(0, 1000, &[0]), analysis_job(1, 1000, &[])]);
    server.set(Mood::GivesUp);
    let worker = Worker::start(&server, "1", &["--progress", "0.000001"]);
    server.wait("a report of progress", |books| !books.progress.is_empty());
    server.set(Mood::Well);
    server.wait("the other job", |books| books.jobs.is_empty());
    worker.signal(Signal::INT);
    let (status, messages) = worker.end();
    assert!(
        status.success() && messages.contains("a0 (analysis, cambodian, game g) is no longer"),
        "{messages}"
    );
    let books = server.lock();
    let rows = books.progress[0].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]), (4, &json!({"skipped": true})));
    assert!(rows[1].is_null() && rows[3]["score"].is_object(), "{rows:?}");
    assert!(!books.answers.contains_key("a0") && books.out.is_empty());
}

#[test]
fn a_server_that_does_not_want_the_worker_ends_it() {
    let server = Server::start(Vec::new());
    let endpoint = format!("http://{}/fishnet", server.address);
    let work = |key: &str| run(&["fishnet", "--endpoint", &endpoint, "--key", key, "--cores", "1"], "");
    let done = work("wrong").fails(1, "does not know the key");
    assert!(!done.err.contains("wrong"), "{}", done.err);
    server.set(Mood::Answers(426));
    work("secret").fails(1, "later version");
    server.set(Mood::Answers(301));
    work("secret").fails(1, "redirects");

    let wrong = |args: &[&str], words: &str| run(&[&["fishnet"], args].concat(), "").fails(2, words);
    wrong(&["--endpoint", "pychess.org", "--key", "x"], "https://");
    wrong(&["--endpoint", &endpoint, "--key", "a b"], "a key has letters");
    wrong(&["--endpoint", &endpoint], "--key");
    wrong(&["--endpoint", &endpoint, "--key-file", "/does/not/exist"], "/does/not/exist");
    #[cfg(unix)]
    wrong(&["--endpoint", &endpoint, "--key-file", "/dev/zero"], "longer than 4096 bytes");
    wrong(&["--endpoint", &endpoint, "--key", "x", "--cores", "0"], "auto or all");
    wrong(&["--endpoint", &endpoint, "--key", "x", "--variants", "shogi"], "makruk");
}
