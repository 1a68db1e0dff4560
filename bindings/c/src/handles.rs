//! Handles: the engines and games that callers know by numbers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use sakmak_movegen::Game;

use crate::SakmakHandle;
use crate::border::{Failure, SakmakError};
use crate::engine::Engine;

/// Something that has a handle. A call holds a reference, so that freeing it meanwhile does no harm.
pub(crate) struct Object {
    kind: Kind,
    error: Mutex<String>,
}

enum Kind {
    Engine(Box<Engine>),
    Game(Box<Mutex<Game>>),
}

static OBJECTS: LazyLock<Mutex<HashMap<SakmakHandle, Arc<Object>>>> = LazyLock::new(Mutex::default);
/// The next handle. None is used twice.
static NEXT: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The last error of this thread.
    static ERROR: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Locks, also after a panic: the call that panicked has reported it, and the object can still be used and freed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add(kind: Kind) -> SakmakHandle {
    let handle = NEXT.fetch_add(1, Relaxed);
    lock(&OBJECTS).insert(handle, Arc::new(Object { kind, error: Mutex::default() }));
    handle
}

pub(crate) fn add_engine(engine: Engine) -> SakmakHandle {
    add(Kind::Engine(Box::new(engine)))
}

pub(crate) fn add_game(game: Game) -> SakmakHandle {
    add(Kind::Game(Box::new(Mutex::new(game))))
}

fn unknown(handle: SakmakHandle, what: &str) -> Failure {
    Failure::new(SakmakError::SAKMAK_ERROR_HANDLE, format!("handle {handle} is no {what}, or was freed"))
}

fn find(handle: SakmakHandle) -> Option<Arc<Object>> {
    lock(&OBJECTS).get(&handle).cloned()
}

/// Takes an object out of the list.
pub(crate) fn remove(handle: SakmakHandle) -> Result<Arc<Object>, Failure> {
    lock(&OBJECTS).remove(&handle).ok_or_else(|| unknown(handle, "engine or game"))
}

/// Calls `work` with an engine, which has its own locks.
pub(crate) fn with_engine<T>(
    handle: SakmakHandle,
    work: impl FnOnce(&Engine) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match find(handle).as_deref() {
        Some(Object { kind: Kind::Engine(engine), .. }) => work(engine),
        _ => Err(unknown(handle, "engine")),
    }
}

/// Calls `work` with a game, while no other thread uses it.
pub(crate) fn with_game<T>(
    handle: SakmakHandle,
    work: impl FnOnce(&mut Game) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match find(handle).as_deref() {
        Some(Object { kind: Kind::Game(game), .. }) => work(&mut lock(game)),
        _ => Err(unknown(handle, "game")),
    }
}

pub(crate) fn store_error(handle: SakmakHandle, text: String) {
    if let Some(object) = find(handle) {
        lock(&object.error).clone_from(&text);
    }
    // A thread that ends has no error any more.
    let _ = ERROR.try_with(|error| error.replace(text));
}

pub(crate) fn last_error(handle: SakmakHandle) -> String {
    match find(handle) {
        Some(object) => lock(&object.error).clone(),
        None if handle == 0 => ERROR.try_with(|error| error.borrow().clone()).unwrap_or_default(),
        None => String::new(),
    }
}

impl Object {
    /// Ends an engine's session now, even while other calls hold the object.
    pub(crate) fn close(&self) {
        if let Kind::Engine(engine) = &self.kind {
            engine.close();
        }
    }
}
