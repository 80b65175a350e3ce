//! Where the names of points stand: inside the plot, apart from each other, and over as few points and lines as can be.

use std::ops::Range;

/// Pixels of a letter, of a line of text, and from a point to its name.
const LETTER: i32 = 7;
const LINE: i32 = 14;
const GAP: i32 = 6;

/// Pixels between two places of a line that a name should not cover.
const STEP: i32 = 6;

/// A pixel.
pub(super) type Pixel = (i32, i32);

/// A point that wants a name.
pub(super) struct Named {
    /// Its number.
    pub number: usize,
    /// Where it is.
    pub at: Pixel,
    /// Letters of its name.
    pub letters: usize,
}

/// A rectangle of pixels.
struct Area {
    across: Range<i32>,
    down: Range<i32>,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        let apart =
            |left: &Range<i32>, right: &Range<i32>| left.end <= right.start || right.end <= left.start;
        !apart(&self.across, &other.across) && !apart(&self.down, &other.down)
    }

    fn is_within(&self, (across, down): (&Range<i32>, &Range<i32>)) -> bool {
        across.start <= self.across.start
            && self.across.end <= across.end
            && down.start <= self.down.start
            && self.down.end <= down.end
    }
}

/// Of each point whose name has room, in the order given: its number, and how far from it the upper left corner of its name is.
/// `covered` are the pixels that a name should leave free, `plot` is where names may be.
pub(super) fn placed(
    wanted: &[Named],
    covered: &[Pixel],
    plot: (&Range<i32>, &Range<i32>),
) -> Vec<(usize, Pixel)> {
    let mut taken: Vec<Area> = Vec::new();
    let mut shown = Vec::new();
    for named in wanted {
        let width = LETTER * named.letters as i32;
        let area = |(right, below): Pixel| Area {
            across: named.at.0 + right..named.at.0 + right + width,
            down: named.at.1 + below..named.at.1 + below + LINE,
        };
        // Towards the middle first.
        let is_right = named.at.0 > i32::midpoint(plot.0.start, plot.0.end);
        let sides = if is_right { [-width - GAP, GAP] } else { [GAP, -width - GAP] };
        let middle = -width / 2;
        let shifts = [-LINE, GAP - 2, -LINE / 2].iter().flat_map(|below| sides.map(|right| (right, *below)));
        let shifts = shifts.chain([(middle, -LINE - GAP), (middle, GAP)]);
        let free = shifts.filter(|shift| {
            let own = area(*shift);
            own.is_within(plot) && !taken.iter().any(|other| own.meets(other))
        });
        let best = free.min_by_key(|shift| {
            let own = area(*shift);
            covered.iter().filter(|(x, y)| own.across.contains(x) && own.down.contains(y)).count()
        });
        if let Some(shift) = best {
            taken.push(area(shift));
            shown.push((named.number, shift));
        }
    }
    shown
}

/// Pixels along the line from `start` to `end`.
pub(super) fn along(start: Pixel, end: Pixel) -> impl Iterator<Item = Pixel> {
    let (across, down) = (end.0 - start.0, end.1 - start.1);
    let steps = (across.abs().max(down.abs()) / STEP).max(1);
    (0..=steps).map(move |step| (start.0 + across * step / steps, start.1 + down * step / steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_where_it_covers_neither_a_point_nor_a_name_nor_the_edge() {
        let plot = (&(0..200), &(0..100));
        let alone = [Named { number: 7, at: (20, 50), letters: 5 }];
        assert_eq!(placed(&alone, &[], plot), [(7, (GAP, -LINE))]);
        // A point where the name would stand sends it to the other side, which is outside the plot, or below.
        assert_eq!(placed(&alone, &[(40, 45)], plot), [(7, (GAP, GAP - 2))]);
        let two =
            [Named { number: 0, at: (100, 50), letters: 9 }, Named { number: 1, at: (102, 50), letters: 9 }];
        let shown = placed(&two, &[], plot);
        assert_eq!(shown.len(), 2);
        assert_ne!(shown[0].1, shown[1].1);
        assert!(placed(&[Named { number: 0, at: (100, 50), letters: 60 }], &[], plot).is_empty());
    }

    #[test]
    fn a_line_is_covered_along_its_way() {
        assert_eq!(along((0, 0), (12, 6)).collect::<Vec<_>>(), [(0, 0), (6, 3), (12, 6)]);
        assert_eq!(along((3, 3), (3, 3)).collect::<Vec<_>>(), [(3, 3), (3, 3)]);
    }
}
