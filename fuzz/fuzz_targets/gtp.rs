//! The law `gtp` under libFuzzer: `cargo +nightly fuzz run gtp`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let law = tesuji_law::Law::named("gtp").expect("the law is in the table");
    _ = (law.check)(input);
});
