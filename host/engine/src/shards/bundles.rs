//! What of a run should not be cut: tasks that share a dataset, and units whose texts are encoded together.

use mteb_registry::Selected;
use mteb_shards::{Bundle, Piece};

use crate::run::group::block_of;

/// The bundles of `tasks`, whose units take these `seconds`, numbered through all tasks.
pub fn bundles(tasks: &[Selected], seconds: &[f64]) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let (mut number, mut before) = (0, None);
    for task in tasks {
        let place = task.entry.card.dataset.place();
        let mut blocks: Vec<Piece> = Vec::new();
        let mut current = None;
        for (position, _) in task.units().enumerate() {
            let block = Some(block_of(task.entry.card.task_type, position));
            if block != current {
                blocks.push(Piece { units: Vec::new(), seconds: 0.0 });
                current = block;
            }
            if let Some(last) = blocks.last_mut() {
                last.units.push(number);
                last.seconds += seconds.get(number).copied().unwrap_or_default();
            }
            number += 1;
        }
        match bundles.last_mut() {
            Some(last) if place.is_some() && place == before => last.tasks.push(blocks),
            _ => bundles.push(Bundle { tasks: vec![blocks] }),
        }
        before = place;
    }
    bundles
}
