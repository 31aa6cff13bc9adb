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
    /// Play against the engine: the default in a terminal.
    Play(command::play::Options),
    /// Speak GTP with a program such as Sabaki or GoGui: the default if standard input is not a terminal.
    Gtp(command::gtp::Options),
    /// Analyse positions for KaTrain and other programs that speak KataGo's JSON.
    Analysis(command::analysis::Options),
    /// Measure speed.
    #[command(subcommand)]
    Bench(command::bench::Bench),
    /// Test this installation, measure it, and say how to connect other programs.
    Doctor(command::doctor::Options),
    /// See and change what a store of shared jobs holds.
    #[cfg(feature = "postgres")]
    Jobs(command::jobs::Options),
    /// Repeat the experiments of papers, or measure the engine on your own data.
    #[command(subcommand)]
    Lab(command::lab::Lab),
    /// Write down what a network thinks of positions, for another one to learn from.
    Label(command::label::Options),
    /// Play a match between engines and print the result with its intervals.
    Match(command::r#match::Options),
    /// Describe, check and convert network files.
    #[command(subcommand)]
    Net(command::net::Net),
    /// Count sequences of moves, to compare the rules with those of other programs.
    Perft(command::perft::Options),
    /// Say how strong the players of games are, by their moves.
    Rank(command::rank::Options),
    /// Print all presets, parameters and GTP commands as a page of Markdown.
    Reference,
    /// Look at a whole game: what was lost where, and what was better.
    Review(command::review::Options),
    /// Let a network teach itself: play, learn, compare, and again.
    #[command(name = "selfplay")]
    SelfPlay(Box<command::selfplay::Options>),
    /// Check, convert, count, draw and replay game records.
    #[command(subcommand)]
    Sgf(command::sgf::Sgf),
    /// Solve life-and-death problems, with proof: life, death, ko or seki.
    Solve(command::solve::Options),
    /// Count how many next-move problems a search solves.
    Suite(command::suite::Options),
    /// Learn from games: networks, and what moves look good without one.
    #[command(subcommand)]
    Train(command::train::Train),
    /// Open the board in a browser: play, analysis, life and death, the laboratory.
    Web(command::web::Options),
    /// Take jobs from a store and do them, here or on any other machine.
    #[cfg(feature = "postgres")]
    Worker(command::worker::Options),
}

fn main() -> ExitCode {
    // Not left to the runtime, which prints a backtrace below what went wrong if the environment asks for one.
    run().unwrap_or_else(|error| {
        eprintln!("tesuji: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let arguments = command::analysis::with_long_options(std::env::args_os().collect());
    let command = Arguments::parse_from(arguments).command.unwrap_or_else(default_command);
    match command {
        Command::Play(options) => options.run()?,
        Command::Gtp(options) => options.run()?,
        Command::Analysis(options) => options.run()?,
        Command::Bench(bench) => bench.run()?,
        Command::Doctor(options) => return options.run(),
        #[cfg(feature = "postgres")]
        Command::Jobs(options) => options.run()?,
        Command::Lab(lab) => lab.run()?,
        Command::Label(options) => options.run()?,
        Command::Match(options) => options.run()?,
        Command::Net(net) => return net.run(),
        Command::Perft(options) => options.run()?,
        Command::Rank(options) => options.run()?,
        Command::Reference => command::reference::run(),
        Command::Review(options) => options.run()?,
        Command::SelfPlay(options) => options.run()?,
        Command::Sgf(sgf) => return sgf.run(),
        Command::Solve(options) => options.run()?,
        Command::Suite(options) => options.run()?,
        Command::Train(train) => train.run()?,
        Command::Web(options) => options.run()?,
        #[cfg(feature = "postgres")]
        Command::Worker(options) => options.run()?,
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
