//! Today's date, for game records.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86400;

/// The date in UTC as SGF writes it: `2026-01-31`.
pub(super) fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(now.as_secs() / DAY)
}

/// The date this many days after 1970-01-01.
fn date(days: u64) -> String {
    let mut left = days;
    let mut year = 1970;
    while left >= days_of_year(year) {
        left -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    for length in month_lengths(year) {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", left + 1)
}

fn days_of_year(year: u64) -> u64 {
    month_lengths(year).iter().sum()
}

fn month_lengths(year: u64) -> [u64; 12] {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (364, "1970-12-31"),
            (11016, "2000-02-29"),
            (20483, "2026-01-30"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
