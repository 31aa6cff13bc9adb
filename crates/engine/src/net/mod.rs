//! The network of an engine: one of those that come with the program, or a file that is loaded in the background, so that commands
//! that need no search are answered meanwhile.

mod built_in;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tesuji_board::Size;
use tesuji_net::model::Model;
use tesuji_net::{Isa, Reader, load};

/// A network that is there, on its way, or not to be had.
#[derive(Clone, Debug)]
pub enum Net {
    /// Those that come with the program, each for some boards, evaluated with these instructions.
    BuiltIn(Isa),
    /// A file.
    File(NetFile),
}

/// A network from a file.
#[derive(Clone)]
pub struct NetFile {
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
        let file = NetFile { shared: Arc::clone(&shared), path: path.clone() };
        std::thread::spawn(move || {
            let reader = load(&path)
                .map_err(|error| error.to_string())
                .and_then(|model| Reader::new(&model, isa).map_err(|error| error.to_string()));
            report(reader.as_ref().map_err(Clone::clone));
            let state = reader.map_or(State::Failed, State::Ready);
            *shared.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
            shared.changed.notify_all();
        });
        Net::File(file)
    }

    /// The network that comes with the program for boards of a size, as data to learn on from; nothing if there is none.
    pub fn built_in_model(size: Size) -> Option<Model> {
        built_in::model(size)
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Net::BuiltIn(_) => None,
            Net::File(file) => Some(&file.path),
        }
    }

    /// The network for boards of a size, as soon as it is there; nothing if it is not to be had.
    pub fn wait(&self, size: Size) -> Option<Reader> {
        match self {
            Net::BuiltIn(isa) => built_in::reader(size, *isa),
            Net::File(file) => file.wait().filter(|reader| reader.serves(size)),
        }
    }
}

impl Default for Net {
    fn default() -> Net {
        Net::BuiltIn(Isa::best())
    }
}

impl NetFile {
    fn wait(&self) -> Option<Reader> {
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

impl fmt::Debug for NetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NetFile").field(&self.path).finish()
    }
}
