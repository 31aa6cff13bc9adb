//! Looks for exceptions to the laws: `cargo run --release -p tesuji-law --example fuzz -- SECONDS [LAW…] [--seed N]`.

use std::process::ExitCode;
use std::time::Duration;

use tesuji_law::{LAWS, Law, hunt};

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
    let (mut seconds, mut seed, mut laws) = (60, 1, Vec::new());
    while let Some(word) = words.next() {
        if word == "--seed" {
            let number = words.next().and_then(|number| number.parse().ok());
            seed = number.ok_or("--seed takes a number")?;
        } else if let Ok(number) = word.parse() {
            seconds = number;
        } else {
            laws.push(Law::named(word).ok_or_else(|| format!("no law is called '{word}'"))?);
        }
    }
    if laws.is_empty() {
        laws = LAWS.to_vec();
    }
    for law in laws {
        println!("{}: {}", law.name, law.statement);
        let count = hunt(&law, seed, Duration::from_secs(seconds))
            .map_err(|exception| format!("the law is broken by {exception}"))?;
        println!(
            "  {seconds} s, {} inputs accepted, {} refused, no exception",
            count.accepted, count.refused
        );
    }
    Ok(())
}
