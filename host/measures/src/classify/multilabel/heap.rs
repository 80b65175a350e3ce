//! The nearest few of many rows.

/// The rows with the smallest distances so far, the farthest of them on top.
///
/// A row that ties with the top is not taken, and which of several tied rows leaves first follows from the places
/// they have in the heap; both are as in scikit-learn's `heap_push`, so that tied neighbours are the same ones.
pub(super) struct Nearest {
    entries: Vec<(f64, usize)>,
}

impl Nearest {
    pub fn new(count: usize) -> Self {
        Self { entries: vec![(f64::MAX, 0); count] }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.entries.fill((f64::MAX, 0));
    }

    /// Takes `row` if it is nearer than the farthest one.
    pub fn push(&mut self, distance: f64, row: usize) {
        if self.entries.first().is_none_or(|top| distance >= top.0) {
            return;
        }
        let mut place = 0;
        while let Some(child) = self.farther_child(place).filter(|&child| self.entries[child].0 > distance) {
            self.entries[place] = self.entries[child];
            place = child;
        }
        self.entries[place] = (distance, row);
    }

    /// The rows, in no order.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().map(|&(_, row)| row)
    }

    fn farther_child(&self, place: usize) -> Option<usize> {
        let (left, right) = (2 * place + 1, 2 * place + 2);
        let distance = |child: usize| self.entries.get(child).map(|entry| entry.0);
        match (distance(left), distance(right)) {
            (Some(at_left), Some(at_right)) if at_left < at_right => Some(right),
            (Some(_), _) => Some(left),
            (None, _) => None,
        }
    }
}
