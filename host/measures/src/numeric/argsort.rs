//! The order in which numpy's `argsort` puts numbers, equal ones included.

/// Numbers that are sorted by a network.
const NETWORK: usize = 256;

/// Numbers in a vector.
const LANES: usize = 8;

/// Vectors that are parted side by side.
const UNROLLED: usize = 4;

/// Places of `keys` in ascending order, equal keys in the order that `numpy.argsort` of `f32` gives them with AVX-512 (and up to 256 keys
/// with AVX2): its sort is not stable, and what it does with equal keys decides which centres of k-means start anew.
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
