//! `tesuji net`: describe, check and convert network files.
//!
//! What files and networks are is known in the net crate; here are the words for people.

mod check;
mod export;
mod info;

use clap::Subcommand;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum Net {
    /// Tell what a network is: its kind, size, heads, licence and origin.
    Info(info::Options),
    /// Read networks, ask them about an empty board, and compare this machine's kernels with the exact answer; fails if something is wrong.
    Check(check::Options),
    /// Write a network as .onnx for other tools, or as .safetensors, our own format.
    Export(export::Options),
}

impl Net {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Net::Info(options) => options.run()?,
            Net::Check(options) => return options.run(),
            Net::Export(options) => options.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
