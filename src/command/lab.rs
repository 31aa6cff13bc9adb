//! `tesuji lab`: measurements against data that is not part of the program.

mod status;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Lab {
    /// Compare verdicts on finished games with the results on record.
    Status(status::Options),
}

impl Lab {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Lab::Status(options) => options.run(),
        }
    }
}
