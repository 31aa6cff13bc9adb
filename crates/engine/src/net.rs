//! The network of an engine, loaded in the background: commands that need no search are answered meanwhile.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tesuji_net::{Isa, Reader, load};

/// A network that is there, on its way, or not to be had.
#[derive(Clone)]
pub struct Net {
    shared: Arc<Shared>,
    path: PathBuf,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

enum State {
    Loading,
    Ready(Reader),
    Failed,
}

impl Net {
    /// Begins to load a file. `report` is called when it is loaded or turns out to be useless, from another thread.
    pub fn load(
        path: PathBuf,
        isa: Isa,
        report: impl FnOnce(Result<&Reader, String>) + Send + 'static,
    ) -> Net {
        let shared = Arc::new(Shared { state: Mutex::new(State::Loading), changed: Condvar::new() });
        let net = Net { shared: Arc::clone(&shared), path: path.clone() };
        std::thread::spawn(move || {
            let reader = load(&path)
                .map_err(|error| error.to_string())
                .and_then(|model| Reader::new(&model, isa).map_err(|error| error.to_string()));
            report(reader.as_ref().map_err(Clone::clone));
            let state = reader.map_or(State::Failed, State::Ready);
            *shared.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
            shared.changed.notify_all();
        });
        net
    }

    /// The file.
    pub fn path(&self) -> &PathBuf {
        &self.path
    }

    /// The network, as soon as it is there; nothing if it is not to be had.
    pub fn wait(&self) -> Option<Reader> {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*state {
                State::Ready(reader) => return Some(reader.clone()),
                State::Failed => return None,
                State::Loading => {
                    state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Net").field(&self.path).finish()
    }
}
