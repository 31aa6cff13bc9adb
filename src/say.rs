//! Lines for people and other programs on standard output.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};

/// Prints a line as `println!` does, but ends the program quietly when nobody reads any more, as after `tesuji … | head`.
macro_rules! say {
    ($($part:tt)*) => {
        $crate::say::line(format_args!($($part)*))
    };
}
pub(crate) use say;

/// See [`say!`].
pub(crate) fn line(words: Arguments<'_>) {
    let mut output = stdout().lock();
    let Err(error) = writeln!(output, "{words}").and_then(|()| output.flush()) else { return };
    if error.kind() != ErrorKind::BrokenPipe {
        eprintln!("tesuji: cannot write the result: {error}");
        std::process::exit(1);
    }
    std::process::exit(0);
}
