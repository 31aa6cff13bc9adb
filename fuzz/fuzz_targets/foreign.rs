//! The law `foreign` under libFuzzer: `cargo +nightly fuzz run foreign`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let law = tesuji_law::Law::named("foreign").expect("the law is in the table");
    _ = (law.check)(input);
});
