//! The `tesuji` program: arguments → one command.
#![forbid(unsafe_code)]

mod argument;
mod command;
mod say;

use clap::{Parser, Subcommand};
use std::io::IsTerminal;
use std::process::ExitCode;

/// A Go engine and search laboratory.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play against the engine here: the default in a terminal.
    Play(command::play::Options),
    /// Serve a controller such as Sabaki or GoGui: the default where standard input is no terminal.
    Gtp(command::gtp::Options),
    /// Measure speed.
    #[command(subcommand)]
    Bench(command::bench::Bench),
    /// Repeat the experiments of papers, and measure against data that is not part of the program.
    #[command(subcommand)]
    Lab(command::lab::Lab),
    /// Write down what a network thinks of positions, for another one to learn from.
    Label(command::label::Options),
    /// Let engines play each other and tell what it proves.
    Match(command::r#match::Options),
    /// Describe, check and convert network files.
    #[command(subcommand)]
    Net(command::net::Net),
    /// Count move paths, to compare the rules with other programs'.
    Perft(command::perft::Options),
    /// Check, convert, count and replay game records.
    #[command(subcommand)]
    Sgf(command::sgf::Sgf),
    /// Prove what becomes of a group: life, death, ko or seki.
    Solve(command::solve::Options),
    /// Ask next-move problems and count the right answers.
    Suite(command::suite::Options),
    /// Learn from games: networks, and what moves look good without one.
    #[command(subcommand)]
    Train(command::train::Train),
}

fn main() -> ExitCode {
    // Not left to the runtime, which prints a backtrace below what went wrong if the environment asks for one.
    run().unwrap_or_else(|error| {
        eprintln!("tesuji: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let command = Arguments::parse().command.unwrap_or_else(default_command);
    match command {
        Command::Play(options) => options.run()?,
        Command::Gtp(options) => options.run()?,
        Command::Bench(bench) => bench.run()?,
        Command::Lab(lab) => lab.run()?,
        Command::Label(options) => options.run()?,
        Command::Match(options) => options.run()?,
        Command::Net(net) => return net.run(),
        Command::Perft(options) => options.run()?,
        Command::Sgf(sgf) => return sgf.run(),
        Command::Solve(options) => options.run()?,
        Command::Suite(options) => options.run()?,
        Command::Train(train) => train.run()?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What `tesuji` alone does: a person wants to play, a program that started us speaks GTP.
fn default_command() -> Command {
    if std::io::stdin().is_terminal() {
        Command::Play(command::play::Options::default())
    } else {
        Command::Gtp(command::gtp::Options::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
