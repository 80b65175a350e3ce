//! Which texts go together.

/// The numbers of the texts in batches of at most `budget` tokens, and of one text at least; longest first, so that a
/// batch has few different lengths and the last one to finish is a short one.
pub fn batches(lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&text| std::cmp::Reverse(lengths[text]));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut tokens = usize::MAX;
    for text in order {
        // A text without tokens takes its place in the result too.
        let length = lengths[text].max(1);
        if tokens.saturating_add(length) > budget {
            batches.push(Vec::new());
            tokens = 0;
        }
        tokens += length;
        if let Some(batch) = batches.last_mut() {
            batch.push(text);
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::batches;

    #[test]
    fn long_texts_come_first_and_share_a_batch_while_the_budget_lasts() {
        assert_eq!(batches(&[1, 9, 2, 9, 3], 10), [vec![1], vec![3], vec![4, 2, 0]]);
    }

    #[test]
    fn a_text_beyond_the_budget_has_a_batch_of_its_own() {
        assert_eq!(batches(&[100, 90], 10), [vec![0], vec![1]]);
        assert!(batches(&[], 10).is_empty());
    }

    #[test]
    fn texts_without_tokens_are_not_lost() {
        assert_eq!(batches(&[0, 0], 10), [vec![0, 1]]);
    }
}
