//! The protocol of XBoard and WinBoard, version 2 (`engine-intf.html` of XBoard).
//!
//! The engine keeps the game: the GUI sends moves, and the engine answers with its own, ponders, and claims results. A
//! session starts in UCI; the command `xboard` switches to this protocol, see [`uci::run`](crate::uci::run).

mod command;
mod report;
mod searches;
mod session;

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::front_end::FrontEnd;
use crate::threads;

use command::XBoardCommand;
use session::{Event, Session};

/// At the end of input, how often to check whether the output still has a reader.
const PATIENCE: Duration = Duration::from_millis(100);

/// Speaks XBoard's protocol until `quit`, or until the engine has made its move after the end of the lines. `first` is
/// the line that switched to it.
pub(crate) fn run(first: &str, lines: impl Iterator<Item = String> + Send, front: FrontEnd) {
    let front = front.for_xboard();
    let output = front.output.clone();
    let (sender, events) = channel();
    let mut session = Session::new(front, sender.clone());
    session.handle(Event::Line(first.to_owned()));
    std::thread::scope(|scope| {
        // Lines and search results arrive in one queue, since both lead to the next move.
        let reader = threads::start_scoped(scope, move || {
            for line in lines {
                let is_last = XBoardCommand::parse(&line) == Ok(XBoardCommand::Quit);
                if sender.send(Event::Line(line)).is_err() || is_last {
                    return;
                }
            }
            // The session may have ended before.
            let _ = sender.send(Event::EndOfInput);
        });
        if let Err(error) = reader {
            output.line(&format!("tellusererror cannot start a thread that reads: {error}"));
            return;
        }
        let mut at_end = false;
        loop {
            let event = match at_end {
                false => events.recv().map_err(RecvTimeoutError::from),
                true => events.recv_timeout(PATIENCE),
            };
            let event = match event {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) if !output.is_lost() => continue,
                Err(_) => return,
            };
            if let Event::Line(line) = &event {
                output.log_input(line);
            }
            at_end |= matches!(event, Event::EndOfInput);
            let goes_on = session.handle(event);
            output.report_log_fault();
            // A search with a limit still finishes, since a script may pipe its commands in.
            if !goes_on || at_end && !session.ends_by_itself() {
                return;
            }
        }
    });
}
