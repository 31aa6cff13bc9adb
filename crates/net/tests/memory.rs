//! How much memory files may take: counted, in a binary of its own because the count is of the whole process.
//!
//! A file of n bytes may unpack to 16 MiB + 32 n; lists that grow take up to three times what is in them while they move.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;

/// The system's allocator, with a count of what is in use and of the most that ever was.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed to the system's allocator unchanged; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most memory that reading took.
fn memory_of(bytes: &[u8]) -> (usize, bool) {
    let before = IN_USE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let is_understood = tesuji_net::read(bytes).is_ok();
    (MOST.load(Ordering::Relaxed) - before, is_understood)
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn hostile_files_take_no_more_than_they_justify() {
    const MIB: usize = 1 << 20;
    let head = "n 8 22 19 t 1 96 96 96 96 96 ";
    let zeros = |count: usize| vec![0; count];

    // Sizes without anything behind them.
    for promise in ["c 3 3 8192 512 1 1 @BIN@", "c 9 9 8192 400 1 1 @BIN@", "c 3 3 22 96 1 1 0.5 0.5"] {
        let file = format!("{head}{promise}");
        let (most, understood) = memory_of(file.as_bytes());
        assert!(!understood && most < MIB, "{promise}: {most} bytes");
        let (most, understood) = memory_of(&pack(file.as_bytes()));
        assert!(!understood && most < MIB, "{promise} packed: {most} bytes");
    }

    // A small file that would unpack to a gigabyte of weights, or of nothing at all.
    let weights = format!("{head}c 9 9 8192 400 1 1 @BIN@").into_bytes();
    for content in
        [[weights.clone(), zeros(128 * MIB)].concat(), vec![b'\n'; 128 * MIB], vec![b'x'; 128 * MIB]]
    {
        let bomb = pack(&content);
        drop(content);
        let (most, understood) = memory_of(&bomb);
        assert!(!understood && bomb.len() < MIB, "{} bytes", bomb.len());
        assert!(most < 3 * (16 * MIB + 32 * bomb.len()), "{most} bytes of {}", bomb.len());
    }

    // Weights that are really there.
    let file = [weights, zeros(32 * MIB)].concat();
    let (most, understood) = memory_of(&file);
    assert!(!understood && most < 4 * file.len(), "{most} bytes of {}", file.len());

    // Our own container: lengths and shapes that promise much.
    for header in [
        r#"{"x":{"dtype":"F32","shape":[1000000,1000000],"data_offsets":[0,4000000000000]}}"#,
        r#"{"__metadata__":{"format":"tesuji-1","model":"{}","sha256":""}}"#,
    ] {
        let own = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
        let (most, understood) = memory_of(&own);
        assert!(!understood && most < MIB, "{header}: {most} bytes");
    }
}
