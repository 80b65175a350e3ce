//! The values that the score of a name may take, whatever type of task gives it.

use crate::{Bounds, TaskType, facts};

/// The bounds of the score called `name`, or of a part of it: as a task type has them in its facts, else those of a share. What is
/// called `main_score` may be the main score of any type.
pub fn bounds_of(name: &str) -> Bounds {
    if name == "main_score" {
        let of_types = TaskType::ALL.iter().map(|task_type| bounds_of(task_type.main_score()));
        return of_types.fold(Bounds::SHARE, Bounds::hull);
    }
    let of_type = |task_type: &TaskType| (facts(*task_type).bounds)(name);
    TaskType::ALL.iter().find_map(of_type).unwrap_or(Bounds::SHARE)
}

/// The bounds of the score called `name` in a task of `task_type`: of a type that is declared those of its declaration alone.
pub fn bounds_in(task_type: TaskType, name: &str) -> Bounds {
    match task_type {
        TaskType::Own(_) => (facts(task_type).bounds)(name).unwrap_or(Bounds::SHARE),
        _ => bounds_of(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_score_is_within_those_of_all_types() {
        assert_eq!(bounds_of("main_score"), Bounds::between(-1.0, 1.0).or_undefined());
        assert_eq!(bounds_of("ndcg_at_10"), Bounds::SHARE);
        assert_eq!(bounds_of("max_over_subqueries_nauc_map_at_1_std").low, f64::NEG_INFINITY);
    }
}
