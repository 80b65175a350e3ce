//! The order in which numpy's `argsort` puts numbers, equal ones included, and the place of the
//! largest, as torch finds it.

use std::cmp::Ordering;

/// Numbers that are sorted by a network.
const NETWORK: usize = 256;

/// Numbers in a vector.
const LANES: usize = 8;

/// Vectors that are parted side by side.
const UNROLLED: usize = 4;

/// Places of `keys` in ascending order, equal keys in the order that `numpy.argsort` of `f32` gives them with AVX-512 (and up to 256 keys
/// with AVX2): its sort is not stable, and what it does with equal keys decides which centres of k-means start again.
///
/// Source: x86-simd-sort, which numpy 2 carries. No key is NaN.
pub fn argsort(keys: &[f32]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let depth = if keys.len() > 1 { 2 * keys.len().ilog2() } else { 0 };
    sort(keys, &mut places, depth);
    places
}

fn sort(keys: &[f32], places: &mut [usize], depth: u32) {
    if places.len() <= NETWORK {
        return network(keys, places);
    }
    if depth == 0 {
        // Where most keys are equal, parting makes no progress.
        return introsort(keys, places);
    }
    let pivot = median(keys, places);
    let (smallest, biggest) = range(keys, places);
    let (low, high) = part(keys, places, pivot);
    if pivot != smallest {
        sort(keys, low, depth - 1);
    }
    if pivot != biggest {
        sort(keys, high, depth - 1);
    }
}

/// A bitonic network, whose exchanges leave equal keys where they are.
fn network(keys: &[f32], places: &mut [usize]) {
    let count = places.len();
    let mut exchange = |low: usize, high: usize| {
        // Beyond the end stands what is larger than every key.
        if high < count && keys[places[high]] < keys[places[low]] {
            places.swap(low, high);
        }
    };
    let mut size = 2;
    while size / 2 < count {
        for start in (0..count).step_by(size) {
            (0..size / 2).for_each(|place| exchange(start + place, start + size - 1 - place));
        }
        let mut half = size / 4;
        while half > 0 {
            for start in (0..count).step_by(2 * half) {
                (start..start + half).for_each(|low| exchange(low, low + half));
            }
            half /= 2;
        }
        size *= 2;
    }
}

/// `std::sort` of the GNU library: parts of up to sixteen are left to an insertion sort of the whole, which is stable.
fn introsort(keys: &[f32], places: &mut [usize]) {
    let mut rest = &mut *places;
    let mut waiting = Vec::new();
    loop {
        if rest.len() > 16 {
            let cut = cut(keys, rest);
            let (low, high) = rest.split_at_mut(cut);
            waiting.push(high);
            rest = low;
        } else if let Some(next) = waiting.pop() {
            rest = next;
        } else {
            break;
        }
    }
    places.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
}

/// Parts `places` by the median of three, and returns where the second part begins.
pub(super) fn cut(keys: &[f32], places: &mut [usize]) -> usize {
    let (middle, last) = (places.len() / 2, places.len() - 1);
    let [a, b, c] = [1, middle, last].map(|place| keys[places[place]]);
    let median = match (a < b, b < c, a < c) {
        (true, true, _) | (false, false, false) => middle,
        (true, false, true) | (false, true, false) => last,
        (true, false, false) | (false, _, true) => 1,
    };
    places.swap(0, median);
    let pivot = keys[places[0]];
    let (mut low, mut high) = (1, places.len());
    loop {
        while keys[places[low]] < pivot {
            low += 1;
        }
        high -= 1;
        while pivot < keys[places[high]] {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        places.swap(low, high);
        low += 1;
    }
}

/// The fifth smallest of eight keys at equal distances.
fn median(keys: &[f32], places: &[usize]) -> f32 {
    let step = (places.len() - 1) / LANES;
    let mut eight: [f32; LANES] = std::array::from_fn(|i| keys[places[(i + 1) * step]]);
    eight.sort_by(f32::total_cmp);
    eight[LANES / 2]
}

fn range(keys: &[f32], places: &[usize]) -> (f32, f32) {
    let range = (f32::INFINITY, f32::NEG_INFINITY);
    places.iter().fold(range, |(low, high), &place| (low.min(keys[place]), high.max(keys[place])))
}

/// Puts the places of keys below `pivot` in front of all others.
fn part<'a>(keys: &[f32], places: &'a mut [usize], pivot: f32) -> (&'a mut [usize], &'a mut [usize]) {
    const BLOCK: usize = LANES * UNROLLED;
    let (mut left, mut right) = (0, places.len());
    for _ in 0..places.len() % BLOCK {
        if keys[places[left]] < pivot {
            left += 1;
        } else {
            right -= 1;
            places.swap(left, right);
        }
    }
    let block =
        |places: &[usize], start: usize| -> [usize; BLOCK] { std::array::from_fn(|i| places[start + i]) };
    // The outermost blocks are taken out, which makes room for what is written while the others are read.
    let outer = [block(places, left), block(places, right - BLOCK)];
    let (mut low_end, mut high_start) = (left, right);
    (left, right) = (left + BLOCK, right - BLOCK);
    let write = |places: &mut [usize], block: [usize; BLOCK], low_end: &mut usize, high_start: &mut usize| {
        for vector in block.as_chunks::<LANES>().0 {
            let high = vector.iter().filter(|&&place| keys[place] >= pivot).count();
            let mut next = [*low_end, *high_start - high];
            for &place in vector {
                let side = usize::from(keys[place] >= pivot);
                places[next[side]] = place;
                next[side] += 1;
            }
            *low_end += LANES - high;
            *high_start -= high;
        }
    };
    while left < right {
        let next = if high_start - right < left - low_end {
            right -= BLOCK;
            block(places, right)
        } else {
            left += BLOCK;
            block(places, left - BLOCK)
        };
        write(places, next, &mut low_end, &mut high_start);
    }
    outer.into_iter().for_each(|outer| write(places, outer, &mut low_end, &mut high_start));
    places.split_at_mut(low_end)
}

/// Fewest numbers of which torch takes the first of several largest.
const MANY: usize = 64;

/// The place of the largest of `values` that `torch.topk` with k = 1 gives: of several equal ones the first, but of fewer than 64 values that which the GNU
/// library's `std::nth_element` leaves in front. No value is NaN.
pub fn largest(values: &[f32]) -> Option<usize> {
    // What sorts in ascending order finds the largest first.
    let keys: Vec<f32> = values.iter().map(|value| -value).collect();
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let mut end = places.len();
    if end < MANY {
        let mut depth = if end > 1 { 2 * end.ilog2() } else { 0 };
        while end > 3 && depth > 0 {
            depth -= 1;
            end = cut(&keys, &mut places[..end]);
        }
    }
    places[..end].iter().copied().min_by(|&a, &b| keys[a].partial_cmp(&keys[b]).unwrap_or(Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// torch 2.11: `torch.topk(torch.tensor([values]), 1)` of 1 to 63 values.
    #[test]
    fn of_equal_numbers_it_is_the_one_that_torch_takes() {
        let equal = [
            0, 0, 0, 2, 2, 3, 5, 6, 7, 8, 8, 9, 8, 9, 9, 10, 10, 11, 11, 12, 13, 14, 14, 15, 17, 18, 18, 19,
            20, 21, 21, 22, 23, 24, 24, 25, 26, 27, 27, 28, 28, 29, 29, 30, 31, 32, 32, 33, 32, 33, 33, 34,
            35, 36, 36, 37, 37, 38, 38, 39, 40, 41, 41,
        ];
        let mixed = [
            0, 0, 2, 2, 2, 2, 2, 4, 2, 9, 4, 2, 7, 9, 12, 9, 9, 14, 7, 12, 12, 7, 9, 9, 14, 22, 9, 12, 17,
            12, 27, 12, 12, 22, 14, 12, 32, 17, 12, 34, 32, 14, 37, 29, 27, 17, 12, 27, 14, 44, 29, 29, 22,
            37, 32, 49, 22, 34, 19, 49, 19, 27, 27,
        ];
        for count in 1..MANY {
            assert_eq!(largest(&vec![1.0; count]), Some(equal[count - 1]), "{count} equal ones");
            let values: Vec<f32> = (0..count).map(|i| ((i * i * 7 + i * 3) % 5) as f32).collect();
            assert_eq!(largest(&values), Some(mixed[count - 1]), "{count} mixed ones");
        }
    }

    #[test]
    fn of_many_numbers_it_is_the_first() {
        assert_eq!(largest(&[2.0; 64]), Some(0));
        assert_eq!(largest(&[[1.0; 50], [3.0; 50]].concat()), Some(50));
        assert_eq!(largest(&[0.0, -0.0]), Some(0));
        assert_eq!(largest(&[]), None);
    }
}
