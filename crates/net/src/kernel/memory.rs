//! Large buffers on huge pages: weights are read from end to end for every evaluation, and small pages would make the processor look
//! up addresses all the time.
#![allow(unsafe_code)]

use super::lanes::Lanes;

/// Zeros, on huge pages where the system has them.
pub(crate) fn zeros(count: usize) -> Vec<Lanes> {
    let mut lanes: Vec<Lanes> = Vec::with_capacity(count);
    advise(&mut lanes);
    lanes.resize(count, Lanes::ZERO);
    lanes
}

/// Asks for huge pages in the whole ones that lie within the buffer. Without them everything works the same, so errors do not matter.
#[cfg(target_os = "linux")]
fn advise(lanes: &mut Vec<Lanes>) {
    /// Bytes of a huge page on x86-64 and most others.
    const HUGE: usize = 2 << 20;
    let start = lanes.as_mut_ptr().cast::<u8>();
    let bytes = lanes.capacity() * size_of::<Lanes>();
    let skipped = start.align_offset(HUGE);
    if bytes < skipped.saturating_add(HUGE) {
        return;
    }
    let length = (bytes - skipped) / HUGE * HUGE;
    // SAFETY: the range lies within an allocation of ours that holds nothing yet, and the advice changes no contents.
    let _ =
        unsafe { rustix::mm::madvise(start.add(skipped).cast(), length, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_: &mut Vec<Lanes>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_any_size() {
        for count in [0, 1, 1000, (5 << 20) / size_of::<Lanes>() + 3] {
            let lanes = zeros(count);
            assert_eq!(lanes.len(), count);
            assert!(lanes.iter().all(|lanes| *lanes == Lanes::ZERO));
        }
    }
}
