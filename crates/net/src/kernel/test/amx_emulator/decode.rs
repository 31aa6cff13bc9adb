//! From bytes to instructions: the six that the kernels use, by the encodings in Intel's manual (volume 2, "VEX" and the pages of the
//! instructions).

/// What is to be done. Tile registers are numbered from 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// LDTILECFG
    Configure(Address),
    /// TILERELEASE
    Release,
    /// TILEZERO
    Zero(usize),
    /// TILELOADD
    Load(usize, Address),
    /// TILESTORED
    Store(usize, Address),
    /// TDPBF16PS
    Multiply { sums: usize, left: usize, right: usize },
}

/// `base + index * scale + displacement`; registers are numbered as the processor does: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
///
/// For rows of tiles, `index * scale` is the distance from row to row, and the rest where the first one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: Base,
    pub(super) index: Option<usize>,
    pub(super) scale: usize,
    pub(super) displacement: i32,
}

/// Where an address begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Zero,
    Register(usize),
    /// The instruction that follows.
    Next,
}

/// Bytes that have been read so far.
struct Bytes<I> {
    bytes: I,
    count: usize,
}

impl<I: Iterator<Item = u8>> Bytes<I> {
    fn next(&mut self) -> Option<u8> {
        self.count += 1;
        self.bytes.next()
    }

    /// A displacement of one byte or four.
    fn displacement(&mut self, mode: u8) -> Option<i32> {
        match mode {
            0 => Some(0),
            1 => Some(i32::from(self.next()? as i8)),
            _ => Some(i32::from_le_bytes([self.next()?, self.next()?, self.next()?, self.next()?])),
        }
    }
}

/// The instruction that the bytes begin with and its length; nothing if it is another one or none. No more bytes are read than it has.
pub(super) fn decode(bytes: impl Iterator<Item = u8>) -> Option<(Instruction, usize)> {
    let bytes = &mut Bytes { bytes, count: 0 };
    // VEX in three bytes; R, X, B and vvvv are inverted. Map 2 is 0F38.
    if bytes.next()? != 0xc4 {
        return None;
    }
    let extensions = bytes.next()?;
    let high = |bit: u8| usize::from(!extensions >> bit & 1) << 3;
    let (high_register, high_index, high_base) = (high(7), high(6), high(5));
    if extensions & 0b11111 != 2 {
        return None;
    }
    // W and L are 0 in all of them.
    let last = bytes.next()?;
    let (second, prefix) = (usize::from(!last >> 3 & 0b1111), last & 0b11);
    if last & 0b1000_0100 != 0 {
        return None;
    }
    let opcode = bytes.next()?;
    let form = bytes.next()?;
    let (mode, low) = (form >> 6, usize::from(form & 0b111));
    let register = high_register | usize::from(form >> 3 & 0b111);
    let is_memory = mode != 0b11;
    // There are eight tile registers.
    if register > 7 || second > 7 || !is_memory && high_base > 0 {
        return None;
    }
    const NONE: u8 = 0;
    const F3: u8 = 2;
    const F2: u8 = 3;
    let instruction = match (opcode, prefix, is_memory) {
        (0x5c, F3, false) => Instruction::Multiply { sums: register, left: low, right: second },
        // The others have no second register.
        _ if second != 0 => return None,
        (0x49, NONE, false) if (register, low) == (0, 0) => Instruction::Release,
        (0x49, F2, false) if low == 0 => Instruction::Zero(register),
        (0x49, NONE, true) if register == 0 => {
            Instruction::Configure(address(bytes, mode, low, high_index, high_base)?)
        }
        // Rows are addressed with a SIB byte only.
        (0x4b, F2, true) if low == 0b100 => {
            Instruction::Load(register, address(bytes, mode, low, high_index, high_base)?)
        }
        (0x4b, F3, true) if low == 0b100 => {
            Instruction::Store(register, address(bytes, mode, low, high_index, high_base)?)
        }
        _ => return None,
    };
    Some((instruction, bytes.count))
}

/// An operand in memory.
fn address(
    bytes: &mut Bytes<impl Iterator<Item = u8>>,
    mode: u8,
    low: usize,
    high_index: usize,
    high_base: usize,
) -> Option<Address> {
    if low != 0b100 {
        let base = if (mode, low) == (0, 0b101) { Base::Next } else { Base::Register(high_base | low) };
        let displacement = bytes.displacement(if base == Base::Next { 2 } else { mode })?;
        return Some(Address { base, index: None, scale: 1, displacement });
    }
    let sib = bytes.next()?;
    // Four without extension, which would be rsp, is no index.
    let index = Some(high_index | usize::from(sib >> 3 & 0b111)).filter(|&index| index != 4);
    let low = usize::from(sib & 0b111);
    let base = if (mode, low) == (0, 0b101) { Base::Zero } else { Base::Register(high_base | low) };
    let displacement = bytes.displacement(if base == Base::Zero { 2 } else { mode })?;
    Some(Address { base, index, scale: 1 << (sib >> 6), displacement })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes as the GNU assembler makes them and its disassembler reads them.
    #[test]
    fn instructions_are_those_of_an_assembler() {
        use Base::{Next, Register, Zero};
        let at = |base, index, scale, displacement| Address { base, index, scale, displacement };
        let [rax, rcx, rdx, rsp, rbp, rsi, rdi] = [0, 1, 2, 4, 5, 6, 7];
        let cases: &[(&[u8], Instruction)] = &[
            // ldtilecfg [rax], [rsp+8], [rip+0x10], [r13+rcx*4+0x12345678], [rcx*8+0x40]
            (b"\xc4\xe2\x78\x49\x00", Instruction::Configure(at(Register(rax), None, 1, 0))),
            (b"\xc4\xe2\x78\x49\x44\x24\x08", Instruction::Configure(at(Register(rsp), None, 1, 8))),
            (b"\xc4\xe2\x78\x49\x05\x10\x00\x00\x00", Instruction::Configure(at(Next, None, 1, 16))),
            (
                b"\xc4\xc2\x78\x49\x84\x8d\x78\x56\x34\x12",
                Instruction::Configure(at(Register(13), Some(rcx), 4, 0x1234_5678)),
            ),
            (b"\xc4\xe2\x78\x49\x04\xcd\x40\x00\x00\x00", Instruction::Configure(at(Zero, Some(rcx), 8, 64))),
            (b"\xc4\xe2\x78\x49\xc0", Instruction::Release),
            (b"\xc4\xe2\x7b\x49\xc0", Instruction::Zero(0)),
            (b"\xc4\xe2\x7b\x49\xf8", Instruction::Zero(7)),
            // tileloadd tmm4,[rdi+rsi*1]; tmm6,[r13+r12*1+64]; tmm5,[r9+rax*8-0x1000]; tmm3,[rsp+rbp*2]
            (b"\xc4\xe2\x7b\x4b\x24\x37", Instruction::Load(4, at(Register(rdi), Some(rsi), 1, 0))),
            (b"\xc4\x82\x7b\x4b\x74\x25\x40", Instruction::Load(6, at(Register(13), Some(12), 1, 64))),
            (
                b"\xc4\xc2\x7b\x4b\xac\xc1\x00\xf0\xff\xff",
                Instruction::Load(5, at(Register(9), Some(rax), 8, -4096)),
            ),
            (b"\xc4\xe2\x7b\x4b\x1c\x6c", Instruction::Load(3, at(Register(rsp), Some(rbp), 2, 0))),
            // tilestored [r8+rdx*1+64],tmm1; [rbp+r15*1],tmm2
            (b"\xc4\xc2\x7a\x4b\x4c\x10\x40", Instruction::Store(1, at(Register(8), Some(rdx), 1, 64))),
            (b"\xc4\xa2\x7a\x4b\x54\x3d\x00", Instruction::Store(2, at(Register(rbp), Some(15), 1, 0))),
            // tdpbf16ps tmm0,tmm4,tmm6; tmm3,tmm5,tmm7; tmm7,tmm0,tmm1
            (b"\xc4\xe2\x4a\x5c\xc4", Instruction::Multiply { sums: 0, left: 4, right: 6 }),
            (b"\xc4\xe2\x42\x5c\xdd", Instruction::Multiply { sums: 3, left: 5, right: 7 }),
            (b"\xc4\xe2\x72\x5c\xf8", Instruction::Multiply { sums: 7, left: 0, right: 1 }),
        ];
        for (bytes, expected) in cases {
            let behind = bytes.iter().copied().chain([0x90; 4]);
            assert_eq!(decode(behind), Some((*expected, bytes.len())), "{bytes:x?}");
            let cut = bytes[..bytes.len() - 1].iter().copied();
            assert_eq!(decode(cut), None, "{bytes:x?} without its end");
        }
    }

    #[test]
    fn other_instructions_are_refused() {
        let cases: &[(&[u8], &str)] = &[
            (b"\x0f\x0b", "ud2"),
            (b"\xc4\xe2\x79\x4b\x0c\x18", "tileloaddt1"),
            (b"\xc4\xe2\x79\x49\x00", "sttilecfg"),
            (b"\xc4\xe2\x6b\x5e\xc1", "tdpbssd"),
            (b"\xc4\xe1\x4a\x5c\xc4", "another map"),
            (b"\xc4\xe2\xca\x5c\xc4", "W is 1"),
            (b"\xc4\xe2\x4e\x5c\xc4", "256 bits"),
            (b"\xc4\x62\x4a\x5c\xc4", "the ninth register"),
            (b"\xc4\xc2\x4a\x5c\xc4", "the thirteenth register"),
            (b"\xc4\xe2\x0a\x5c\xc4", "the fifteenth register"),
            (b"\xc4\xe2\x73\x49\xc0", "tilezero with a second register"),
            (b"\xc4\xe2\x7b\x4b\x07", "rows without a SIB byte"),
        ];
        for (bytes, what) in cases {
            assert_eq!(decode(bytes.iter().copied().chain([0; 8])), None, "{what}");
        }
    }
}
