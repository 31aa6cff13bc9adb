//! Connected regions of points that share a property: empty points, points without a stone of a colour, …
//!
//! The points of a region stand side by side in one array that is also the queue of the flood fill, so
//! finding all regions touches every point once and allocates nothing.

use crate::point::{MAX_AREA, Point, Size};
use crate::point_map::PointMap;

/// Mark of points that belong to no region, and of the wall.
const NONE: u16 = u16::MAX;
/// Mark of points that belong to a region still to be found.
const UNSEEN: u16 = u16::MAX - 1;

/// A partition of some points of a board into connected regions, numbered from 0 in reading order.
#[derive(Clone)]
pub struct Regions {
    size: Size,
    count: usize,
    points: [Point; MAX_AREA],
    /// By region: one past its last entry in `points`.
    ends: [u16; MAX_AREA],
    region: PointMap<u16>,
}

impl Regions {
    /// The regions of the points for which `belongs` holds.
    pub fn find(size: Size, belongs: impl Fn(Point) -> bool) -> Regions {
        let mut regions = Regions::none(size);
        regions.find_again(size, belongs);
        regions
    }

    /// No regions yet: memory for [`Regions::find_again`].
    pub fn none(size: Size) -> Regions {
        let first = size.points().next().expect("a board has points");
        Regions {
            size,
            count: 0,
            points: [first; MAX_AREA],
            ends: [0; MAX_AREA],
            region: PointMap::filled(NONE),
        }
    }

    /// Makes these the regions of the points for which `belongs` holds: as [`Regions::find`], in memory that is there already.
    pub fn find_again(&mut self, size: Size, belongs: impl Fn(Point) -> bool) {
        if self.size != size {
            *self = Regions::none(size);
        }
        self.count = 0;
        for point in size.points() {
            self.region[point] = if belongs(point) { UNSEEN } else { NONE };
        }
        let mut end = 0;
        for start in size.points() {
            if self.region[start] == UNSEEN {
                end = self.flood(size.stride(), start, end);
            }
        }
    }

    /// Collects the region of `start` behind the first `begin` points and returns the number of points so far.
    fn flood(&mut self, stride: usize, start: Point, begin: usize) -> usize {
        let number = self.count as u16;
        self.points[begin] = start;
        self.region[start] = number;
        let (mut done, mut end) = (begin, begin + 1);
        while done < end {
            let at = self.points[done].index();
            done += 1;
            for side in [at - stride, at - 1, at + 1, at + stride] {
                if self.region.at(side) == UNSEEN {
                    *self.region.at_mut(side) = number;
                    self.points[end] = Point::from_index(side);
                    end += 1;
                }
            }
        }
        self.ends[self.count] = end as u16;
        self.count += 1;
        end
    }

    /// Number of regions.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no point belongs to a region.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The region of a point, if the point belongs to one.
    #[inline]
    pub fn region_of(&self, point: Point) -> Option<usize> {
        let number = self.region[point];
        (number != NONE).then_some(usize::from(number))
    }

    /// The points of a region; none if there is no such region.
    pub fn points(&self, region: usize) -> &[Point] {
        if region >= self.count {
            return &[];
        }
        let begin = region.checked_sub(1).map_or(0, |before| usize::from(self.ends[before]));
        &self.points[begin..usize::from(self.ends[region])]
    }

    /// The points of every region in turn.
    pub fn iter(&self) -> impl Iterator<Item = &[Point]> {
        (0..self.count).map(|region| self.points(region))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_partition_the_points_that_belong() {
        let size = Size::new(7, 5).unwrap();
        let belongs = |point| size.x(point) % 3 != 2 && size.y(point) != 2;
        let regions = Regions::find(size, belongs);
        let sizes: Vec<usize> = regions.iter().map(<[Point]>::len).collect();
        assert_eq!(sizes, [4, 4, 2, 4, 4, 2]);
        assert_eq!(regions.len(), 6);
        assert!(regions.points(6).is_empty());
        for point in size.points() {
            assert_eq!(regions.region_of(point).is_some(), belongs(point));
            for side in size.neighbors(point).filter(|&side| belongs(point) && belongs(side)) {
                assert_eq!(regions.region_of(side), regions.region_of(point));
            }
        }
        for (number, points) in regions.iter().enumerate() {
            assert!(points.iter().all(|&point| regions.region_of(point) == Some(number)));
        }
    }

    #[test]
    fn the_largest_board_is_one_region() {
        let size = Size::square(25).unwrap();
        let regions = Regions::find(size, |_| true);
        assert_eq!(regions.len(), 1);
        assert_eq!(regions.points(0).len(), MAX_AREA);
        assert!(Regions::find(size, |_| false).is_empty());
    }
}
