//! The `tesuji` program: arguments → one command.
#![forbid(unsafe_code)]

mod command;

use clap::{Parser, Subcommand};

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
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Bench(bench) => bench.run(),
    }
}
