//! A file of games that only grows, and survives being cut.
//!
//! After a first line of eight bytes come blocks: a mark, the lengths of the packed and unpacked bytes, the number of games, a checksum of
//! all of that and the packed bytes, and the bytes themselves, packed with zstd: games one after the other, each behind its length.
//! A block is written at once and is on the disk before the writer says so. What a crash leaves of a block at the end is dropped when
//! the file is opened the next time; a damaged block before the end is an error, because no crash explains it.

use super::bytes::{Bytes, put_number};
use super::game::GameSample;
use super::record::{self, RecordError};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The first bytes of a file, with the version of the format.
const MAGIC: &[u8; 8] = b"TSJGAME1";
/// The first bytes of a block.
const BLOCK: &[u8; 4] = b"BLK\n";
/// Bytes before the packed ones: mark, packed length, unpacked length, games, checksum.
const HEAD: usize = 4 + 4 + 4 + 4 + 8;
/// Unpacked bytes after which a block is written.
const FULL: usize = 1 << 18;
/// Most bytes of a block, packed or not: what one game more than full can have, and no more, so that a broken length cannot fill the memory.
const MOST: u32 = 1 << 26;

/// A file of games that is being written.
#[derive(Debug)]
pub struct SampleFile {
    path: PathBuf,
    file: File,
    pending: Vec<u8>,
    games: u32,
    scratch: Vec<u8>,
}

/// What was cut off the end of a file because it was no whole block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// How many bytes.
    pub bytes: u64,
}

impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the last {} bytes are no whole block, as after a crash: dropped", self.bytes)
    }
}

/// Why a file of games cannot be used.
#[derive(Debug)]
pub enum FileError {
    /// It cannot be read or written.
    Io(PathBuf, io::Error),
    /// It is no file of games, or one of another version.
    Foreign(PathBuf),
    /// Another process writes to it.
    Locked(PathBuf),
    /// The block at this byte is damaged in a way that a crash does not explain.
    Damaged(PathBuf, u64),
    /// A game has more labels than a block can hold.
    TooLarge(PathBuf),
    /// A game of the block at this byte is none.
    Record(PathBuf, u64, RecordError),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            FileError::Foreign(path) => write!(f, "{}: not a file of games of this version", path.display()),
            FileError::Locked(path) => write!(f, "{}: another process is writing to it", path.display()),
            FileError::Damaged(path, at) => {
                write!(f, "{}: the block at byte {at} is damaged", path.display())
            }
            FileError::TooLarge(path) => write!(f, "{}: a game is too large for a block", path.display()),
            FileError::Record(path, at, error) => {
                write!(f, "{}: in the block at byte {at}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Whether a file begins as files of games do.
pub fn is_sample_file(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// Calls `visit` with every game of a file, which may be growing. Says what was passed over at the end.
pub fn read_samples(path: &Path, mut visit: impl FnMut(GameSample)) -> Result<Option<Dropped>, FileError> {
    let file = File::open(path).map_err(|error| FileError::Io(path.to_owned(), error))?;
    scan(path, file, |block, at| read_block(path, block, at, &mut visit)).map(|(_, dropped)| dropped)
}

impl SampleFile {
    /// Opens a file to append to, or makes it; `visit` is called with every game that is there.
    pub fn open(
        path: &Path,
        mut visit: impl FnMut(GameSample),
    ) -> Result<(SampleFile, Option<Dropped>), FileError> {
        let failed = |error| FileError::Io(path.to_owned(), error);
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Err(FileError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let length = file.metadata().map_err(failed)?.len();
        // A crash may have cut even the first line.
        let is_new = length < MAGIC.len() as u64 && {
            let mut start = Vec::new();
            file.read_to_end(&mut start).map_err(failed)?;
            MAGIC.starts_with(&start)
        };
        let mut dropped = None;
        if is_new {
            file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
            file.write_all(MAGIC).and_then(|()| file.sync_all()).map_err(failed)?;
        } else {
            let reader = file.try_clone().map_err(failed)?;
            let (end, found) = scan(path, reader, |block, at| read_block(path, block, at, &mut visit))?;
            dropped = found;
            if dropped.is_some() {
                file.set_len(end).and_then(|()| file.sync_all()).map_err(failed)?;
            }
            file.seek(SeekFrom::Start(end)).map_err(failed)?;
        }
        let own =
            SampleFile { path: path.to_owned(), file, pending: Vec::new(), games: 0, scratch: Vec::new() };
        Ok((own, dropped))
    }

    /// Adds a game; it is on the disk after the next [`SampleFile::flush`], or when a block is full.
    pub fn add(&mut self, game: &GameSample) -> Result<(), FileError> {
        self.scratch.clear();
        record::write(game, &mut self.scratch);
        if self.scratch.len() + FULL + 16 > MOST as usize {
            return Err(FileError::TooLarge(self.path.clone()));
        }
        put_number(&mut self.pending, self.scratch.len() as u64);
        self.pending.extend_from_slice(&self.scratch);
        self.games += 1;
        if self.pending.len() >= FULL { self.flush() } else { Ok(()) }
    }

    /// Writes what was added since the last block. After an error the file holds whole blocks only, and what was added may be tried again.
    pub fn flush(&mut self) -> Result<(), FileError> {
        if self.games == 0 {
            return Ok(());
        }
        let packed = zstd::encode_all(&self.pending[..], 3);
        let packed = packed.map_err(|error| FileError::Io(self.path.clone(), error))?;
        let mut block = Vec::with_capacity(HEAD + packed.len());
        block.extend_from_slice(BLOCK);
        for number in [packed.len() as u32, self.pending.len() as u32, self.games] {
            block.extend(number.to_le_bytes());
        }
        let sum = checksum(&[&block, &packed]);
        block.extend(sum.to_le_bytes());
        block.extend_from_slice(&packed);
        let written = self.append(&block);
        if written.is_ok() {
            self.pending.clear();
            self.games = 0;
        }
        written.map_err(|error| FileError::Io(self.path.clone(), error))
    }

    /// Appends a block as a whole, or not at all.
    fn append(&mut self, block: &[u8]) -> io::Result<()> {
        let before = self.file.stream_position()?;
        let written = self.file.write_all(block).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // A full disk leaves part of the block; should this fail too, the next opening drops it.
            _ = self.file.set_len(before);
            _ = self.file.seek(SeekFrom::Start(before));
        }
        written
    }
}

/// Calls `visit` with the lengths and packed bytes of every block. Returns where the last whole block ends.
fn scan(
    path: &Path,
    mut file: File,
    mut visit: impl FnMut(&Block, u64) -> Result<(), FileError>,
) -> Result<(u64, Option<Dropped>), FileError> {
    let failed = |error| FileError::Io(path.to_owned(), error);
    let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
    file.rewind().map_err(failed)?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut magic = [0; MAGIC.len()];
    if length < MAGIC.len() as u64 || reader.read_exact(&mut magic).is_err() || magic != *MAGIC {
        return Err(FileError::Foreign(path.to_owned()));
    }
    let mut at = MAGIC.len() as u64;
    while at < length {
        let left = length - at;
        let dropped = Ok((at, Some(Dropped { bytes: left })));
        if left < HEAD as u64 {
            return dropped;
        }
        let mut head = [0; HEAD];
        reader.read_exact(&mut head).map_err(failed)?;
        let Some(block) = Head::read(&head).filter(|block| left >= HEAD as u64 + u64::from(block.packed))
        else {
            let mut rest = head.to_vec();
            reader.read_to_end(&mut rest).map_err(failed)?;
            return if is_tail(&rest) { dropped } else { Err(FileError::Damaged(path.to_owned(), at)) };
        };
        let mut bytes = vec![0; block.packed as usize];
        reader.read_exact(&mut bytes).map_err(failed)?;
        let end = at + HEAD as u64 + u64::from(block.packed);
        if !block.fits(&head, &bytes) {
            return if end == length { dropped } else { Err(FileError::Damaged(path.to_owned(), at)) };
        }
        visit(&Block { bytes, unpacked: block.unpacked, games: block.games }, at)?;
        at = end;
    }
    Ok((at, None))
}

/// What stands before a block.
struct Head {
    packed: u32,
    unpacked: u32,
    games: u32,
    sum: u64,
}

impl Head {
    fn read(bytes: &[u8]) -> Option<Head> {
        let number = |first: usize| Some(u32::from_le_bytes(*bytes.get(first..)?.first_chunk()?));
        let sum = u64::from_le_bytes(*bytes.get(16..)?.first_chunk()?);
        let head = Head { packed: number(4)?, unpacked: number(8)?, games: number(12)?, sum };
        (bytes.starts_with(BLOCK) && head.packed <= MOST && head.unpacked <= MOST).then_some(head)
    }

    fn fits(&self, head: &[u8], packed: &[u8]) -> bool {
        checksum(&[&head[..16], packed]) == self.sum
    }
}

/// Whether bytes at the end of a file can be what a crash left of one block: no whole block is among them.
fn is_tail(rest: &[u8]) -> bool {
    let is_block = |&at: &usize| {
        let rest = &rest[at..];
        Head::read(rest).is_some_and(|head| {
            let packed = rest[HEAD..].get(..head.packed as usize);
            packed.is_some_and(|packed| head.fits(rest, packed))
        })
    };
    let marks = (1..rest.len()).filter(|&at| rest[at..].starts_with(BLOCK));
    // Zeros are what some file systems leave of what was never written.
    let is_begun = rest.starts_with(BLOCK) || rest.iter().all(|&byte| byte == 0);
    is_begun && marks.into_iter().find(is_block).is_none()
}

/// A block whose checksum is right.
struct Block {
    bytes: Vec<u8>,
    unpacked: u32,
    games: u32,
}

fn read_block(
    path: &Path,
    block: &Block,
    at: u64,
    visit: &mut impl FnMut(GameSample),
) -> Result<(), FileError> {
    let damaged = || FileError::Damaged(path.to_owned(), at);
    let unpacked = zstd::bulk::decompress(&block.bytes, block.unpacked as usize).map_err(|_| damaged())?;
    let mut bytes = Bytes(&unpacked);
    for _ in 0..block.games {
        let length = bytes.count(unpacked.len()).map_err(|_| damaged())?;
        let own = bytes.take(length).map_err(|_| damaged())?;
        visit(record::read(own).map_err(|error| FileError::Record(path.to_owned(), at, error))?);
    }
    if bytes.0.is_empty() { Ok(()) } else { Err(damaged()) }
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits: enough against accidents.
fn checksum(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &byte in parts.iter().copied().flatten() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::random_game;
    use super::*;
    use tesuji_search::Rng;

    fn games(count: usize) -> Vec<GameSample> {
        let mut rng = Rng::new(4);
        (0..count).map(|_| random_game(&mut rng)).collect()
    }

    fn read(path: &Path) -> Result<(Vec<GameSample>, Option<Dropped>), FileError> {
        let mut found = Vec::new();
        let dropped = read_samples(path, |game| found.push(game))?;
        Ok((found, dropped))
    }

    /// A file of three blocks with five games each, and where the blocks begin.
    fn three_blocks(path: &Path) -> (Vec<GameSample>, Vec<u64>) {
        let games = games(15);
        let mut starts = Vec::new();
        for part in games.chunks(5) {
            let (mut file, dropped) = SampleFile::open(path, |_| ()).unwrap();
            assert_eq!(dropped, None);
            starts.push(std::fs::metadata(path).unwrap().len());
            part.iter().for_each(|game| file.add(game).unwrap());
            file.flush().unwrap();
        }
        (games, starts)
    }

    #[test]
    fn games_are_appended_and_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("games");
        let (games, _) = three_blocks(&path);
        assert_eq!(read(&path).unwrap(), (games, None));
        let (_file, _) = SampleFile::open(&path, |_| ()).unwrap();
        assert!(matches!(SampleFile::open(&path, |_| ()), Err(FileError::Locked(_))));
    }

    #[test]
    fn a_cut_anywhere_costs_the_last_block_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("games");
        let (games, starts) = three_blocks(&path);
        let whole = std::fs::read(&path).unwrap();
        for length in (0..whole.len()).rev().step_by(97).chain(0..40).chain([starts[2] as usize]) {
            std::fs::write(&path, &whole[..length]).unwrap();
            let blocks = starts.iter().skip(1).filter(|&&start| start <= length as u64).count();
            let mut found = Vec::new();
            let (mut file, dropped) = SampleFile::open(&path, |game| found.push(game)).unwrap();
            assert_eq!(found, games[..5 * blocks], "cut to {length}");
            let is_whole = length < 8 || starts.contains(&(length as u64));
            assert_eq!(dropped.is_none(), is_whole, "cut to {length}");
            file.add(&games[14]).unwrap();
            file.flush().unwrap();
            drop(file);
            let (found, dropped) = read(&path).unwrap();
            assert_eq!((found.len(), dropped), (5 * blocks + 1, None));
            assert_eq!(found.last(), Some(&games[14]));
        }
    }

    #[test]
    fn damage_before_the_end_is_an_error_and_at_the_end_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("games");
        let (games, starts) = three_blocks(&path);
        let whole = std::fs::read(&path).unwrap();
        let mut rng = Rng::new(3);
        let mut damaged = 0;
        // All of the heads, where lengths are, and some places between.
        let heads = starts.iter().flat_map(|&start| start as usize..start as usize + HEAD);
        let somewhere: Vec<usize> = (0..100).map(|_| rng.below(whole.len())).collect();
        for place in (0..10).chain(heads).chain(somewhere) {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << rng.below(8);
            std::fs::write(&path, &bytes).unwrap();
            match read(&path) {
                Err(FileError::Foreign(_)) => assert!(place < 8),
                Err(FileError::Damaged(_, at)) => {
                    assert!(starts.contains(&at) && at <= place as u64);
                    damaged += 1;
                }
                Ok((found, Some(_))) => {
                    assert!(place as u64 >= starts[2], "a change at {place} cost blocks that are whole");
                    assert_eq!(found, games[..10]);
                }
                Ok((_, None)) => panic!("a change at {place} was not found"),
                Err(error) => panic!("{error}"),
            }
        }
        assert!(damaged > 100, "{damaged}");
        let mut zeros = whole[..starts[2] as usize].to_vec();
        zeros.resize(whole.len(), 0);
        std::fs::write(&path, &zeros).unwrap();
        let (found, dropped) = read(&path).unwrap();
        assert_eq!((found, dropped.is_some()), (games[..10].to_vec(), true));
        std::fs::write(&path, "a file of somebody else").unwrap();
        assert!(matches!(read(&path), Err(FileError::Foreign(_))));
        assert!(matches!(SampleFile::open(&path, |_| ()), Err(FileError::Foreign(_))));
    }

    /// `/dev/full` is a disk without space.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error_and_nothing_is_lost() {
        let file = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let path = PathBuf::from("full");
        let mut own = SampleFile { path, file, pending: Vec::new(), games: 0, scratch: Vec::new() };
        own.add(&games(1)[0]).unwrap();
        assert!(matches!(own.flush(), Err(FileError::Io(..))));
        assert_eq!(own.games, 1);
        assert!(!own.pending.is_empty());
    }
}
