//! Looks for exceptions to the laws: `cargo run --release -p tesuji-law --example fuzz -- SECONDS [LAW…] [--inputs N] [--seed N]`.
//!
//! With `--inputs` each law is tried that often, however long it takes. What was tried and the memory of the process are told ten times on the way.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use tesuji_law::{HuntCount, HuntLimit, LAWS, Law, hunt, resident_bytes};

/// A hunt is this many, with a seed each, so that its course can be seen.
const PARTS: u32 = 10;

fn main() -> ExitCode {
    // The exception says what the panic said, and shrinking it takes thousands of panics.
    std::panic::set_hook(Box::new(|_| ()));
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let mut words = arguments.iter();
    let (mut limit, mut seed, mut laws) = (HuntLimit::Time(Duration::from_secs(60) / PARTS), 1, Vec::new());
    while let Some(word) = words.next() {
        let mut number = || {
            let number = words.next().and_then(|number| number.parse().ok());
            number.ok_or_else(|| format!("{word} takes a number"))
        };
        if word == "--seed" {
            seed = number()?;
        } else if word == "--inputs" {
            limit = HuntLimit::Inputs(number()? / u64::from(PARTS));
        } else if let Ok(seconds) = word.parse() {
            limit = HuntLimit::Time(Duration::from_secs(seconds) / PARTS);
        } else {
            laws.push(Law::named(word).ok_or_else(|| format!("no law is called '{word}'"))?);
        }
    }
    if laws.is_empty() {
        laws = LAWS.to_vec();
    }
    for law in laws {
        println!("{}: {}", law.name, law.statement);
        let began = Instant::now();
        let mut all = HuntCount::default();
        for part in 0..u64::from(PARTS) {
            let count = hunt(&law, seed + part, limit)
                .map_err(|exception| format!("the law is broken by {exception}"))?;
            (all.accepted, all.refused) = (all.accepted + count.accepted, all.refused + count.refused);
            let memory = resident_bytes().map_or_else(String::new, |bytes| format!(", {} MB", bytes >> 20));
            let seconds = began.elapsed().as_secs();
            println!(
                "  {seconds} s, {} inputs accepted, {} refused, no exception{memory}",
                all.accepted, all.refused
            );
        }
    }
    Ok(())
}
