//! `queue` with a PostgreSQL server of its own: in a temporary folder, by a socket. The tests are ignored, with that as
//! the reason, where there is no `initdb`; splitting and merging are tested without a server beside their code.

#[cfg(unix)]
#[path = "all/common/mod.rs"]
mod common;

#[cfg(unix)]
#[path = "queue/server.rs"]
mod server;

#[cfg(unix)]
#[path = "queue/trials.rs"]
mod trials;

#[cfg(not(unix))]
mod trials {
    pub(crate) fn all() -> Vec<libtest_mimic::Trial> {
        Vec::new()
    }

    pub(crate) fn stop() {}
}

fn main() {
    let done = libtest_mimic::run(&libtest_mimic::Arguments::from_args(), trials::all());
    trials::stop();
    done.exit();
}
