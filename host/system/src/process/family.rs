//! When a process began, and a process together with those that it started, and that these started.

/// Most processes of a family that are looked at.
const MOST: usize = 256;

/// The sum over a process, which must be there, and its family; of this process alone if none is named, whose workers are counted by
/// themselves.
pub fn sum<T: std::iter::Sum>(
    process: Option<u32>,
    children: fn(u32) -> Vec<u32>,
    used: fn(Option<u32>) -> Option<T>,
) -> Option<T> {
    let own = used(process)?;
    let family = process.map(|process| family(process, children)).unwrap_or_default();
    Some(std::iter::once(own).chain(family.into_iter().filter_map(|child| used(Some(child)))).sum())
}

/// The processes that a process started, and that these started.
pub fn family(process: u32, children: fn(u32) -> Vec<u32>) -> Vec<u32> {
    let mut found = children(process);
    let mut place = 0;
    while place < found.len() && found.len() < MOST {
        found.extend(children(found[place]));
        place += 1;
    }
    found
}

/// What the system says of the life of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// When it began, in a unit of the system's own: two processes of one number began at different times.
    pub began: u64,
    /// True if it has ended and only waits to be asked how.
    pub has_ended: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_and_their_children_count_and_who_has_ended_does_not() {
        let children = |process| match process {
            1 => vec![2, 3],
            3 => vec![4],
            _ => Vec::new(),
        };
        let used = |process: Option<u32>| process.map(|process| 10 * process).filter(|used| *used != 20);
        assert_eq!(sum(Some(1), children, used), Some(10 + 30 + 40));
        assert_eq!(sum(Some(2), children, used), None, "it has ended");
        assert_eq!(sum(None, children, |_| Some(7)), Some(7));
        assert_eq!(family(1, |process| vec![process + 1]).len(), MOST, "a family without end is cut");
    }
}
