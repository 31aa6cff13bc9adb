//! The `tesuji` program: arguments → one command.
#![forbid(unsafe_code)]

mod argument;
mod command;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A Go engine and search laboratory.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure speed.
    #[command(subcommand)]
    Bench(command::bench::Bench),
    /// Count move paths, to compare the rules with other programs'.
    Perft(command::perft::Options),
    /// Check, convert, count and replay game records.
    #[command(subcommand)]
    Sgf(command::sgf::Sgf),
}

fn main() -> anyhow::Result<ExitCode> {
    match Arguments::parse().command {
        Command::Bench(bench) => bench.run()?,
        Command::Perft(options) => options.run()?,
        Command::Sgf(sgf) => return sgf.run(),
    }
    Ok(ExitCode::SUCCESS)
}
