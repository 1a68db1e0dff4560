//! Jobs: perft, bench, and `eval` if it has to solve an ending. They run one after the other on their own thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use sakmak_movegen::Position;
use sakmak_movegen::perft::{Division, divide};

use super::Output;
use super::explanation::Explanation;
use crate::bench::BenchStop;
use crate::tt::HashAllocationError;
use crate::{bench, perft, threads};

/// Work for the job thread.
pub(super) enum Job {
    Perft { position: Box<Position>, depth: u32, threads: usize },
    Bench { depth: u32, hash_mb: usize },
    Eval(Box<Explanation>),
}

/// Stop flags of all jobs.
#[derive(Default)]
struct Stop {
    perft: AtomicBool,
    bench: BenchStop,
    eval: Arc<AtomicBool>,
}

/// A queue of jobs, and the thread that runs them.
pub(super) struct Jobs {
    output: Output,
    thread: Option<(Sender<Job>, Arc<Stop>, JoinHandle<()>)>,
}

impl Jobs {
    pub(super) fn new(output: Output) -> Self {
        Self { output, thread: None }
    }

    /// Queues a job.
    pub(super) fn add(&mut self, job: Job) {
        let name = job.name();
        if self.thread.is_none() {
            let (sender, receiver) = channel();
            let (stop, output) = (Arc::default(), self.output.clone());
            let in_thread = Arc::clone(&stop);
            match threads::start(move || run_all(&receiver, &in_thread, &output)) {
                Ok(thread) => self.thread = Some((sender, stop, thread)),
                Err(error) => {
                    self.output.info_string(&format!("cannot start a thread for {name}: {error}"));
                    return;
                }
            }
        }
        if let Some((sender, ..)) = &self.thread {
            // The thread receives until the sender is dropped.
            let _ = sender.send(job);
        }
    }

    /// Ends the running job and drops the others.
    pub(super) fn stop(&mut self) {
        if let Some((_, stop, _)) = &self.thread {
            stop.perft.store(true, SeqCst);
            stop.bench.request();
            stop.eval.store(true, SeqCst);
        }
        self.finish();
    }

    /// Waits until all jobs are done.
    pub(super) fn finish(&mut self) {
        if let Some((sender, _, thread)) = self.thread.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run_all(jobs: &Receiver<Job>, stop: &Stop, output: &Output) {
    for job in jobs {
        let name = job.name();
        let done = catch_unwind(AssertUnwindSafe(|| job.run(stop)));
        match done {
            Ok(_) if stop.perft.load(SeqCst) && !matches!(job, Job::Eval(_)) => {
                output.info_string(&format!("{name} stopped"))
            }
            Ok(Ok(text)) => output.line(&text),
            Ok(Err(error)) => output.info_string(&error),
            Err(panic) => {
                output.info_string(&format!("{name} failed: {}", threads::panic_message(&*panic)));
            }
        }
    }
}

impl Job {
    fn name(&self) -> &'static str {
        match self {
            Self::Perft { .. } => "perft",
            Self::Bench { .. } => "bench",
            Self::Eval(_) => "eval",
        }
    }

    /// Runs the job and returns its output. Perft and bench that were stopped have no result; `eval` then gives what it
    /// has.
    fn run(&self, stop: &Stop) -> Result<String, String> {
        match self {
            Self::Perft { position, depth, threads } => {
                let Division { parts, only_threads } =
                    divide(position, *depth, *threads, None, &stop.perft, &|_| ());
                let warning = only_threads.map_or(String::new(), |only| {
                    format!("info string only {only} of {threads} threads could be started\n")
                });
                let total = perft::total(*depth, &parts);
                Ok(format!("{warning}{}Nodes searched: {total}", perft::listing(&parts)))
            }
            Self::Bench { depth, hash_mb } => {
                let result = bench::try_run(*depth, *hash_mb, &stop.bench, |_, _, _| Ok(()));
                result
                    .map(|result| format!("{} nodes {} nps", result.nodes, result.nps()))
                    .map_err(|error: HashAllocationError| error.to_string())
            }
            Self::Eval(explanation) => match explanation.text(Some(&stop.eval)) {
                (text, true) => Ok(text),
                (text, false) => {
                    Ok(text + "\ninfo string the ending is not solved: the distance to mate is estimated")
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_done_in_order_or_stopped() {
        let output = Output::buffer();
        let mut jobs = Jobs::new(output.clone());
        let perft = |depth| Job::Perft { position: Box::new(Position::startpos()), depth, threads: 2 };
        jobs.add(perft(2));
        jobs.add(Job::Bench { depth: 1, hash_mb: 1 });
        jobs.finish();
        let text = output.text();
        assert!(text.contains("\nNodes searched: 529\n") && text.ends_with(" nps\n"), "{text}");

        jobs.add(perft(30));
        jobs.add(Job::Bench { depth: 127, hash_mb: 1 });
        jobs.stop();
        jobs.add(Job::Bench { depth: 127, hash_mb: 1 });
        std::thread::sleep(std::time::Duration::from_millis(50));
        jobs.stop();
        let stopped = "info string perft stopped\ninfo string bench stopped\ninfo string bench stopped\n";
        assert_eq!(output.text().strip_prefix(&text), Some(stopped));
    }

    #[test]
    fn an_explanation_waits_for_the_ending_until_it_is_stopped() {
        let mut engine = crate::Engine::new(Default::default()).unwrap();
        assert_eq!(engine.set_game(Some("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60"), []), []);
        let explanation = Explanation::of(&engine);
        let stop = Arc::new(AtomicBool::new(true));
        let (known, estimated) = (explanation.text(None), explanation.text(Some(&stop)));
        assert!(!known.1 && !estimated.1 && known.0 == estimated.0, "{known:?} {estimated:?}");

        let output = Output::buffer();
        let mut jobs = Jobs::new(output.clone());
        jobs.add(Job::Eval(Box::new(explanation)));
        jobs.finish();
        assert!(output.text().ends_with("\nEndgame table: drawn\n"), "{}", output.text());
        // From now on the ending is solved.
        assert!(Explanation::of(&engine).text(None).1);
        assert!(output.text().starts_with(&known.0));
    }

    #[test]
    fn without_a_thread_they_are_refused() {
        let output = Output::buffer();
        let mut jobs = Jobs::new(output.clone());
        crate::threads::tests::with_permits(0, || jobs.add(Job::Bench { depth: 1, hash_mb: 1 }));
        assert!(
            output.text().starts_with("info string cannot start a thread for bench: "),
            "{}",
            output.text()
        );
    }
}
