//! Numbers as bytes, and back without trust.

/// There are not as many bytes as a number needs, or it is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut;

/// Appends a number, seven bits a byte, the lowest first.
pub(super) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a float as it is.
pub(super) fn put_float(bytes: &mut Vec<u8>, number: f32) {
    bytes.extend(number.to_le_bytes());
}

/// Appends a number as two bytes.
pub(super) fn put_half(bytes: &mut Vec<u8>, number: u16) {
    bytes.extend(number.to_le_bytes());
}

/// Takes numbers from the front of some bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Cut> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(Cut)?;
        self.0 = rest;
        Ok(front)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Cut> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub(super) fn number(&mut self) -> Result<u64, Cut> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Cut)
    }

    /// A number that counts something, at most `most`.
    pub(super) fn count(&mut self, most: usize) -> Result<usize, Cut> {
        usize::try_from(self.number()?).ok().filter(|&count| count <= most).ok_or(Cut)
    }

    pub(super) fn float(&mut self) -> Result<f32, Cut> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4)?);
        Ok(f32::from_le_bytes(bytes)).and_then(|number: f32| number.is_finite().then_some(number).ok_or(Cut))
    }

    pub(super) fn half(&mut self) -> Result<u16, Cut> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}
