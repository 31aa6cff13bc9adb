//! The gammas of learned playouts: those in the program, or a file's.

use std::fmt;
use std::fs;
use std::io::Read;
use std::sync::Arc;

use tesuji_search::playout::GammaTable;

/// Where the gammas come from.
#[derive(Clone, Debug, Default)]
pub enum GammaSource {
    /// They are in the program.
    #[default]
    BuiltIn,
    /// A file of this name had them.
    File(String, Arc<GammaTable>),
}

/// What stands for those in the program.
const BUILT_IN: &str = "built-in";

/// Most bytes that are read: more than any table that learning makes.
const MOST_BYTES: u64 = 16 << 20;

impl GammaSource {
    /// Reads a file, or takes `built-in`; says why a file cannot be used.
    pub fn open(name: &str) -> Result<GammaSource, String> {
        if name.eq_ignore_ascii_case(BUILT_IN) {
            return Ok(GammaSource::BuiltIn);
        }
        let mut bytes = Vec::new();
        let read = fs::File::open(name).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        read.map_err(|error| error.to_string())?;
        let table = GammaTable::read(&bytes).map_err(|error| error.to_string())?;
        Ok(GammaSource::File(name.to_owned(), Arc::new(table)))
    }

    /// The gammas, if they are not those in the program.
    pub fn table(&self) -> Option<Arc<GammaTable>> {
        match self {
            GammaSource::BuiltIn => None,
            GammaSource::File(_, table) => Some(Arc::clone(table)),
        }
    }
}

impl fmt::Display for GammaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GammaSource::BuiltIn => BUILT_IN,
            GammaSource::File(name, _) => name,
        })
    }
}
