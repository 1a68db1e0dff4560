//! Conversations in UCI with the engine in this process.

use std::io::{BufReader, Cursor, Read};
use std::time::{Duration, Instant};

use sakmak_engine::uci::Output;

use crate::run_uci;

/// All output for these lines and the end of the input after them.
pub fn session(lines: &str) -> Vec<String> {
    let output = Output::buffer();
    run_uci(Cursor::new(lines.to_owned()), output.clone());
    output.text().lines().map(str::to_owned).collect()
}

/// The lines that start with `start`.
pub fn starting<'a>(lines: &'a [String], start: &str) -> Vec<&'a str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with(start)).collect()
}

/// The rest of the last line that starts with `start`.
///
/// # Panics
/// If there is no such line.
pub fn last_of<'a>(lines: &'a [String], start: &str) -> &'a str {
    &starting(lines, start).last().unwrap_or_else(|| panic!("no line {start}: {lines:#?}"))[start.len()..]
}

/// A line without the values of `nps` and `time`.
pub fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let volatile = |index: usize| index > 0 && ["nps", "time"].contains(&words[index - 1]);
    let kept = words.iter().enumerate().filter(|(index, _)| !volatile(*index));
    kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// As [`session`], but each line comes only when every search with a limit has ended.
pub fn patient_session(lines: &str) -> Vec<String> {
    stopped_after("", lines)
}

/// As [`patient_session`], but a search is stopped no earlier than the engine has printed `before_stop`.
pub fn stopped_after(before_stop: &str, lines: &str) -> Vec<String> {
    let output = Output::buffer();
    let lines = lines.split_inclusive('\n');
    let input = WaitingInput { lines, output: output.clone(), searches: 0, before_stop };
    run_uci(BufReader::new(input), output.clone());
    output.text().lines().map(str::to_owned).collect()
}

/// Gives a line at a time, the next one only when every search with a limit has ended.
struct WaitingInput<'a> {
    lines: std::str::SplitInclusive<'a, char>,
    output: Output,
    searches: usize,
    /// Text that the engine must have printed before it is stopped.
    before_stop: &'a str,
}

impl Read for WaitingInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let line = self.lines.next().unwrap_or_default();
        let is_ready = |output: &str| {
            let answers = output.lines().filter(|line| line.starts_with("bestmove")).count();
            answers >= self.searches && (line != "stop\n" || output.contains(self.before_stop))
        };
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_ready(&self.output.text()) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        let ends = |line: &str| !["infinite", "ponder", "perft"].iter().any(|word| line.contains(word));
        self.searches += usize::from(line.starts_with("go ") && ends(line));
        buffer[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}
