//! The law `analysis` under libFuzzer: `cargo +nightly fuzz run analysis`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let law = tesuji_law::Law::named("analysis").expect("the law is in the table");
    _ = (law.check)(input);
});
