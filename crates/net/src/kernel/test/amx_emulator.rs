//! The six instructions of AMX that the kernels use, for processors that do not have them.
//!
//! Such a processor refuses them, the system sends SIGILL, and the handler here does what the instruction would have done: it
//! [decodes](decode) it, executes it on [registers](tiles) of its own for each thread, and goes on behind it. So the assembly of the kernels runs as it
//! is, only slowly. What a processor would fault on ends the process with a message.
//!
//! A handler may interrupt anything, so it neither allocates nor locks.
#![allow(unsafe_code)]

mod decode;
mod tiles;

use std::cell::{Cell, UnsafeCell};
use std::fmt::Write as _;
use std::sync::OnceLock;

use arrayvec::ArrayString;
use decode::{Address, Base, Instruction, decode};
use tiles::{Fault, Tiles};

thread_local! {
    // Constants without destructors: the first use does not allocate.
    static TILES: UnsafeCell<Tiles> = const { UnsafeCell::new(Tiles::RELEASED) };
    static PRODUCTS: Cell<u64> = const { Cell::new(0) };
}

/// What was to happen at SIGILL before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// The general purpose registers in the order in which instructions number them, by their places in what a handler gets.
const REGISTERS: [i32; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// Sees to it that the instructions work, in all threads, on a processor with AVX-512 that does not have them.
pub(crate) fn install() {
    BEFORE.get_or_init(|| {
        let has_vectors = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("fma");
        assert!(has_vectors, "the emulator uses AVX-512 itself");
        // SAFETY: a `sigaction` is plain data, for which zeros are valid, and the calls read and write these only. The handler is a
        // function of the form that SA_SIGINFO asks for.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            assert_eq!(libc::sigaction(libc::SIGILL, std::ptr::null(), &mut before), 0, "no signals");
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO;
            assert_eq!(libc::sigaction(libc::SIGILL, &action, std::ptr::null_mut()), 0, "no handler");
            before
        }
    });
}

/// How many products of tiles have been emulated in this thread.
pub(crate) fn products() -> u64 {
    PRODUCTS.get()
}

/// Does what the instruction would have done that the processor has refused.
extern "C" fn handle(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: with SA_SIGINFO the third argument is the context of the thread, which is ours until we return.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let place = registers[libc::REG_RIP as usize] as usize;
    // SAFETY: the processor has read the instruction there, and `decode` takes no more bytes than it has.
    let bytes = (0..).map(|i| unsafe { *(place as *const u8).add(i) });
    let Some((instruction, length)) = decode(bytes) else {
        // Not ours. With the handler of before, the thread meets the same instruction again.
        let before = BEFORE.get().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: reads what the system itself has written, or nothing.
        unsafe { libc::sigaction(libc::SIGILL, before, std::ptr::null_mut()) };
        return;
    };
    registers[libc::REG_RIP as usize] += length as i64;
    // SAFETY: the registers belong to this thread, which is in this handler and not in another use of them: SIGILL is
    // blocked here, and nothing else uses them. What the instruction reads and writes is what it was written to read and write, and `install`
    // has seen the features.
    let result = TILES.with(|tiles| unsafe { execute(instruction, &mut *tiles.get(), registers) });
    if let Err(fault) = result {
        give_up(instruction, fault, place);
    }
}

/// Executes an instruction; the next one is where RIP is.
///
/// # Safety
///
/// The memory that it accesses may be accessed so. The processor has AVX-512 and FMA.
unsafe fn execute(
    instruction: Instruction,
    tiles: &mut Tiles,
    registers: &[libc::greg_t],
) -> Result<(), Fault> {
    let register = |number: usize| registers[REGISTERS[number] as usize] as usize;
    // The first row, and the distance from row to row.
    let rows = |address: Address| {
        let base = match address.base {
            Base::Zero => 0,
            Base::Register(number) => register(number),
            Base::Next => registers[libc::REG_RIP as usize] as usize,
        };
        let stride = address.index.map_or(0, |index| register(index).wrapping_mul(address.scale));
        (base.wrapping_add_signed(address.displacement as isize), stride)
    };
    match instruction {
        Instruction::Configure(address) => {
            let (base, index) = rows(address);
            // SAFETY: the instruction reads 64 bytes there.
            tiles.configure(unsafe { &*(base.wrapping_add(index) as *const [u8; 64]) })
        }
        Instruction::Release => {
            tiles.release();
            Ok(())
        }
        Instruction::Zero(register) => tiles.zero(register).map(|_| ()),
        Instruction::Load(register, address) => {
            let (first, stride) = rows(address);
            let shape = tiles.shape(register)?;
            for (row, to) in tiles.zero(register)?.iter_mut().enumerate().take(shape.rows) {
                let from = first.wrapping_add(stride.wrapping_mul(row)) as *const u8;
                // SAFETY: the instruction reads these bytes.
                unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), shape.bytes) };
            }
            Ok(())
        }
        Instruction::Store(register, address) => {
            let (first, stride) = rows(address);
            let shape = tiles.shape(register)?;
            for (row, from) in tiles.data(register).iter().enumerate().take(shape.rows) {
                let to = first.wrapping_add(stride.wrapping_mul(row)) as *mut u8;
                // SAFETY: the instruction writes these bytes.
                unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, shape.bytes) };
            }
            Ok(())
        }
        Instruction::Multiply { sums, left, right } => {
            #[target_feature(enable = "avx512f,fma")]
            fn multiply(tiles: &mut Tiles, sums: usize, left: usize, right: usize) -> Result<(), Fault> {
                tiles.multiply(sums, left, right)
            }
            PRODUCTS.set(PRODUCTS.get() + 1);
            // SAFETY: the caller has promised these features.
            unsafe { multiply(tiles, sums, left, right) }
        }
    }
}

/// Ends the process as a processor would by a fault, but says why.
fn give_up(instruction: Instruction, fault: Fault, place: usize) -> ! {
    let mut message = ArrayString::<512>::new();
    // A message that is too long is cut.
    let _ = writeln!(message, "emulator of AMX at {place:#x}: {fault} ({instruction:?})");
    // SAFETY: writes these bytes, and ends.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::abort()
    }
}

#[cfg(test)]
mod tests {
    use std::arch::asm;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    use crate::kernel::amx::Amx;

    /// Names a fault to a process that is to make it.
    const FAULT: &str = "TESUJI_TEST_FAULT";

    #[test]
    fn faults_end_the_process() {
        if Amx::emulated().is_none() {
            eprintln!("skipped: nothing is emulated on this processor");
            return;
        }
        if let Ok(fault) = std::env::var(FAULT) {
            // SAFETY: each of them ends the process.
            unsafe {
                match fault.as_str() {
                    "other" => asm!("ud2"),
                    "configured" => asm!("tilezero tmm3"),
                    "rows" => asm!("ldtilecfg [{}]", "tilezero tmm3", in(reg) &[1u64, 0, 64, 0, 0, 0, 16, 0]),
                    "palette" => asm!("ldtilecfg [{}]", in(reg) &[2u64; 8]),
                    _ => {}
                }
            }
            return;
        }
        for (fault, signal, message) in [
            ("none", None, ""),
            ("other", Some(libc::SIGILL), ""),
            ("configured", Some(libc::SIGABRT), "the tile registers are not configured (Zero(3))"),
            ("rows", Some(libc::SIGABRT), "tmm3 has no rows (Zero(3))"),
            ("palette", Some(libc::SIGABRT), "a wrong configuration: an unknown palette"),
        ] {
            let test = "kernel::test::amx_emulator::tests::faults_end_the_process";
            let mut process = Command::new(std::env::current_exe().unwrap());
            let output = process.args(["--exact", test, "--nocapture"]).env(FAULT, fault).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.signal(), signal, "{fault}: {said}");
            assert!(said.contains(message), "{fault}: {said}");
        }
    }
}
