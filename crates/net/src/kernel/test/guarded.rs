//! Buffers that nobody can read or write beyond: pages without any access lie before and behind them.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ops::{Deref, DerefMut};

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use crate::kernel::lanes::Lanes;

/// A multiple of the pages of all systems.
const PAGE: usize = 1 << 16;

/// Which end of the buffer a forbidden page touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Front,
    Back,
}

/// A number of lanes.
pub(super) struct Guarded {
    pages: *mut c_void,
    bytes: usize,
    lanes: *mut Lanes,
    count: usize,
}

impl Guarded {
    /// Lanes of the same content.
    pub(super) fn new(count: usize, side: Side, content: Lanes) -> Guarded {
        let size = count * size_of::<Lanes>();
        let room = size.next_multiple_of(PAGE);
        let bytes = room + 2 * PAGE;
        let before = match side {
            Side::Front => PAGE,
            Side::Back => PAGE + room - size,
        };
        // SAFETY: new pages, which belong to nobody else; those in the middle may be read and written. The lanes lie within these, and
        // pages and their ends are aligned to more than lanes.
        unsafe {
            let pages = mmap_anonymous(std::ptr::null_mut(), bytes, ProtFlags::empty(), MapFlags::PRIVATE)
                .expect("pages");
            mprotect(pages.byte_add(PAGE), room, MprotectFlags::READ | MprotectFlags::WRITE)
                .expect("pages in the middle");
            let lanes = pages.byte_add(before).cast::<Lanes>();
            (0..count).for_each(|place| lanes.add(place).write(content));
            Guarded { pages, bytes, lanes, count }
        }
    }
}

impl Deref for Guarded {
    type Target = [Lanes];

    fn deref(&self) -> &[Lanes] {
        // SAFETY: `new` has written so many lanes there, and they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.lanes, self.count) }
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [Lanes] {
        // SAFETY: as above, and nobody else has a reference.
        unsafe { std::slice::from_raw_parts_mut(self.lanes, self.count) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the pages of `new`, all of them, and no reference is left.
        unsafe { munmap(self.pages, self.bytes) }.expect("pages that were ours");
    }
}
