//! Jobs: perft, bench, and `eval` if it has to solve an ending. They run one after the other, on a thread of their own
//! or in slices on the caller's.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use sakmak_movegen::perft::{Division, divide, perft};
use sakmak_movegen::{Move, Position};
use web_time::Instant;

use super::Output;
use super::explanation::Explanation;
use crate::bench::{BenchRun, BenchStop};
use crate::{perft, threads};

/// Work that takes a while.
pub(super) enum Job {
    Perft {
        position: Box<Position>,
        depth: u32,
        threads: usize,
    },
    /// Perft in slices.
    SlicedPerft(SlicedPerft),
    Bench(Box<BenchRun>),
    Eval(Box<Explanation>),
}

/// Stop flags of all jobs.
#[derive(Default)]
struct Stop {
    all: AtomicBool,
    bench: BenchStop,
}

impl Stop {
    fn request(&self) {
        self.all.store(true, SeqCst);
        self.bench.request();
    }
}

/// The jobs that are not done yet, and what runs them.
pub(super) struct Jobs {
    output: Output,
    executor: Executor,
}

enum Executor {
    /// A thread, once there has been a job.
    Thread(Option<JobThread>),
    /// The calling thread.
    Caller(VecDeque<Job>),
}

struct JobThread {
    jobs: Sender<Job>,
    stop: Arc<Stop>,
    /// Gets a message after each job.
    done: Receiver<()>,
    /// Jobs without that message so far.
    pending: usize,
    handle: JoinHandle<()>,
}

impl Jobs {
    /// Jobs run by a thread.
    pub(super) fn in_thread(output: Output) -> Self {
        Self { output, executor: Executor::Thread(None) }
    }

    /// Jobs run by [`Jobs::step`].
    pub(super) fn on_calling_thread(output: Output) -> Self {
        Self { output, executor: Executor::Caller(VecDeque::new()) }
    }

    /// Queues a job.
    pub(super) fn add(&mut self, job: Job) {
        let name = job.name();
        let thread = match &mut self.executor {
            Executor::Caller(queue) => return queue.push_back(job.sliced()),
            Executor::Thread(Some(thread)) => thread,
            Executor::Thread(none) => match JobThread::start(&self.output) {
                Ok(thread) => none.insert(thread),
                Err(error) => {
                    self.output.comment(&format!("cannot start a thread for {name}: {error}"));
                    return;
                }
            },
        };
        thread.pending += 1;
        // The thread receives until the sender is dropped.
        let _ = thread.jobs.send(job);
    }

    /// Ends the running job and drops the others.
    pub(super) fn stop(&mut self) {
        match &mut self.executor {
            Executor::Thread(None) => {}
            Executor::Thread(Some(thread)) => thread.stop.request(),
            Executor::Caller(queue) => {
                let stop = Stop::default();
                stop.request();
                queue.drain(..).for_each(|mut job| _ = job.advance(&stop, Duration::MAX, &self.output));
            }
        }
        self.finish();
    }

    /// Waits until all jobs are done, or runs them to their end.
    pub(super) fn finish(&mut self) {
        match &mut self.executor {
            Executor::Thread(thread) => {
                if let Some(JobThread { jobs, handle, .. }) = thread.take() {
                    drop(jobs);
                    let _ = handle.join();
                }
            }
            Executor::Caller(_) => while self.step(Duration::MAX) {},
        }
    }

    /// Runs the first job for about `budget`, or waits that long for the thread. Returns whether there is more to do.
    pub(super) fn step(&mut self, budget: Duration) -> bool {
        match &mut self.executor {
            Executor::Thread(None) => false,
            Executor::Thread(Some(thread)) => thread.wait(budget),
            Executor::Caller(queue) => {
                if let Some(job) = queue.front_mut()
                    && job.advance(&Stop::default(), budget, &self.output)
                {
                    queue.pop_front();
                }
                !queue.is_empty()
            }
        }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.stop();
    }
}

impl JobThread {
    fn start(output: &Output) -> std::io::Result<Self> {
        let (jobs, receiver) = channel::<Job>();
        let (sender, done) = channel();
        let (stop, output) = (Arc::<Stop>::default(), output.clone());
        let in_thread = Arc::clone(&stop);
        let handle = threads::start(move || {
            for mut job in receiver {
                job.advance(&in_thread, Duration::MAX, &output);
                // Nobody may be waiting.
                let _ = sender.send(());
            }
        })?;
        Ok(Self { jobs, stop, done, pending: 0, handle })
    }

    /// Waits until all jobs are done, for at most `budget`. Returns whether some are not.
    fn wait(&mut self, budget: Duration) -> bool {
        let started = Instant::now();
        while self.pending > 0 {
            match self.done.recv_timeout(budget.saturating_sub(started.elapsed())) {
                Ok(()) => self.pending -= 1,
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => self.pending = 0,
            }
        }
        false
    }
}

impl Job {
    fn name(&self) -> &'static str {
        match self {
            Self::Perft { .. } | Self::SlicedPerft(_) => "perft",
            Self::Bench(_) => "bench",
            Self::Eval(_) => "eval",
        }
    }

    /// The same job for the calling thread.
    fn sliced(self) -> Self {
        match self {
            Self::Perft { position, depth, .. } => Self::SlicedPerft(SlicedPerft::new(&position, depth)),
            job => job,
        }
    }

    /// Runs the job for about `budget`. Writes its result once it is done or stopped, and then returns `true`.
    fn advance(&mut self, stop: &Stop, budget: Duration, output: &Output) -> bool {
        let name = self.name();
        let result = catch_unwind(AssertUnwindSafe(|| self.run(stop, budget)));
        match result {
            Ok(None) => return false,
            Ok(Some(_)) if stop.all.load(SeqCst) && !matches!(self, Self::Eval(_)) => {
                output.comment(&format!("{name} stopped"));
            }
            Ok(Some(Ok(text))) => output.line(&text),
            Ok(Some(Err(error))) => output.comment(&error),
            Err(panic) => output.comment(&format!("{name} failed: {}", threads::panic_message(&*panic))),
        }
        true
    }

    /// The output of the job; `None` if it is not done yet. Perft and bench that were stopped have no result; `eval`
    /// then gives what it has.
    fn run(&mut self, stop: &Stop, budget: Duration) -> Option<Result<String, String>> {
        let started = Instant::now();
        let goes_on = || !stop.all.load(SeqCst) && started.elapsed() < budget;
        match self {
            Self::Perft { position, depth, threads } => {
                let Division { parts, only_threads } =
                    divide(position, *depth, *threads, None, &stop.all, &|_| ());
                let warning = only_threads.map_or(String::new(), |only| {
                    format!("info string only {only} of {threads} threads could be started\n")
                });
                Some(Ok(warning + &division(*depth, &parts)))
            }
            Self::SlicedPerft(perft) => {
                while perft.count_next() && goes_on() {}
                let is_done = perft.open.is_empty() || stop.all.load(SeqCst);
                is_done.then(|| Ok(division(perft.depth, &perft.parts)))
            }
            Self::Bench(_) if stop.all.load(SeqCst) => Some(Ok(String::new())),
            Self::Bench(run) => {
                if budget == Duration::MAX {
                    run.solve_all(&stop.bench);
                }
                loop {
                    match run.advance(&stop.bench) {
                        Ok(true) if goes_on() => {}
                        Ok(true) if !stop.all.load(SeqCst) => return None,
                        Ok(_) => {
                            return Some(Ok(format!("{} nodes {} nps", run.bench.nodes, run.bench.nps())));
                        }
                        Err(error) => return Some(Err(error.to_string())),
                    }
                }
            }
            Self::Eval(explanation) => {
                let (mut text, mut is_whole) = explanation.text();
                while !is_whole && !stop.all.load(SeqCst) && explanation.solve_next() {
                    if started.elapsed() >= budget {
                        return None;
                    }
                    (text, is_whole) = explanation.text();
                }
                if !is_whole {
                    // Another thread may have solved the last part.
                    (text, is_whole) = explanation.text();
                }
                if !is_whole {
                    text += "\ninfo string the ending is not solved: the distance to mate is estimated";
                }
                Some(Ok(text))
            }
        }
    }
}

/// The output of perft.
fn division(depth: u32, parts: &[(Move, u64)]) -> String {
    format!("{}Nodes searched: {}", perft::listing(parts), perft::total(depth, parts))
}

/// Perft that can be interrupted.
pub(super) struct SlicedPerft {
    depth: u32,
    /// The paths counted so far behind each legal move.
    parts: Vec<(Move, u64)>,
    /// Positions whose paths are not counted yet: the index of the first move, and the plies left.
    open: Vec<(usize, Position, u32)>,
}

impl SlicedPerft {
    /// Paths of this many plies are counted in one go: some ten thousand nodes.
    const WHOLE: u32 = 3;

    fn new(position: &Position, depth: u32) -> Self {
        let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
        let parts: Vec<_> = moves.into_iter().map(|mv| (mv, 0)).collect();
        let child = |(index, (mv, _)): (usize, &(Move, u64))| (index, after(position, *mv), depth - 1);
        let open = parts.iter().enumerate().map(child).collect();
        Self { depth, parts, open }
    }

    /// Counts or expands the next position. Returns whether there are more.
    fn count_next(&mut self) -> bool {
        if let Some((index, position, depth)) = self.open.pop() {
            if depth <= Self::WHOLE {
                self.parts[index].1 += perft(&position, depth);
            } else {
                let moves = position.legal_moves().into_iter();
                self.open.extend(moves.map(|mv| (index, after(&position, mv), depth - 1)));
            }
        }
        !self.open.is_empty()
    }
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_done_in_order_or_stopped() {
        for new in [Jobs::in_thread, Jobs::on_calling_thread] {
            let output = Output::buffer();
            let mut jobs = new(output.clone());
            let perft = |depth| Job::Perft { position: Box::new(Position::startpos()), depth, threads: 2 };
            let bench = |depth| Job::Bench(Box::new(BenchRun::new(depth, 1)));
            jobs.add(perft(2));
            jobs.add(bench(1));
            jobs.finish();
            let text = output.take();
            assert!(text.contains("\nNodes searched: 529\n") && text.ends_with(" nps\n"), "{text}");

            jobs.add(perft(30));
            jobs.add(bench(127));
            assert!(jobs.step(Duration::from_millis(1)));
            jobs.stop();
            assert!(!jobs.step(Duration::MAX));
            jobs.add(bench(127));
            assert!(jobs.step(Duration::from_millis(1)));
            jobs.stop();
            let stopped = "info string perft stopped\ninfo string bench stopped\ninfo string bench stopped\n";
            assert_eq!(output.take(), stopped);
        }
    }

    #[test]
    fn perft_in_slices_counts_the_same() {
        for depth in 0..6 {
            let (mut slices, mut steps) = (SlicedPerft::new(&Position::startpos(), depth), 1);
            while slices.count_next() {
                steps += 1;
            }
            let parts = divide(&Position::startpos(), depth, 1, None, &AtomicBool::new(false), &|_| ()).parts;
            assert_eq!(division(depth, &slices.parts), division(depth, &parts));
            assert!(depth < 5 || steps > 500, "{steps}");
        }
    }

    #[test]
    fn an_explanation_waits_for_the_ending_until_it_is_stopped() {
        let mut engine = crate::Engine::new(Default::default()).unwrap();
        assert_eq!(engine.set_game(Some("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60"), []), []);
        let mut explanation = Explanation::of(&engine);
        let (known, is_whole) = explanation.text();
        assert!(!is_whole, "{known}");

        let output = Output::buffer();
        let mut jobs = Jobs::on_calling_thread(output.clone());
        jobs.add(Job::Eval(Box::new(explanation)));
        assert!(jobs.step(Duration::ZERO), "not solved in one slice");
        jobs.stop();
        let note = "\ninfo string the ending is not solved: the distance to mate is estimated\n";
        assert_eq!(output.take().strip_suffix(note), Some(known.as_str()));

        let output = Output::buffer();
        let mut jobs = Jobs::in_thread(output.clone());
        jobs.add(Job::Eval(Box::new(Explanation::of(&engine))));
        jobs.finish();
        assert!(output.text().ends_with("\nEndgame table: drawn\n"), "{}", output.text());
        // From now on the ending is solved.
        assert!(Explanation::of(&engine).text().1);
        assert!(output.text().starts_with(&known));
    }

    #[test]
    fn without_a_thread_they_are_refused() {
        let output = Output::buffer();
        let mut jobs = Jobs::in_thread(output.clone());
        let bench = Job::Bench(Box::new(BenchRun::new(1, 1)));
        crate::threads::tests::with_permits(0, || jobs.add(bench));
        assert!(
            output.text().starts_with("info string cannot start a thread for bench: "),
            "{}",
            output.text()
        );
    }
}
