//! What a search finds, beside a plain sort over all similarities and beside Python's `heapq`.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use mteb_search::{Candidates, Heap, Scored, Search, SearchError, Similarity};
use proptest::prelude::*;

const KINDS: [Similarity; 4] =
    [Similarity::Cosine, Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan];

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|document| format!("d{}", document * 7919 % 10007)).collect()
}

/// The whole corpus in chunks of `size`, each query's heap in sorted order.
fn search(
    kind: Similarity,
    queries: &[f32],
    documents: &[f32],
    dimension: usize,
    depth: usize,
    size: usize,
) -> Vec<Vec<Scored>> {
    let ids = ids(documents.len() / dimension);
    let search = Search::new(kind, queries.to_vec(), dimension, depth);
    let mut heaps = vec![Heap::new(depth); search.queries()];
    for (index, chunk) in documents.chunks(size * dimension).enumerate() {
        let floors: Vec<f32> = heaps.iter().map(Heap::floor).collect();
        let best = search.best(&mut chunk.to_vec(), dimension, (index * size) as u32, &ids, &floors).unwrap();
        for (heap, found) in heaps.iter_mut().zip(best) {
            found.into_iter().for_each(|item| heap.push(&ids, item));
        }
    }
    heaps.into_iter().map(|heap| sorted(heap.into_items(), &ids)).collect()
}

fn sorted(mut items: Vec<Scored>, ids: &[String]) -> Vec<Scored> {
    items.sort_by(|a, b| {
        b.1.partial_cmp(&a.1).unwrap().then_with(|| ids[b.0 as usize].cmp(&ids[a.0 as usize]))
    });
    items
}

/// Similarity in double precision, from the definition.
fn exact(kind: Similarity, x: &[f32], y: &[f32]) -> f64 {
    let sum = |term: fn(f64, f64) -> f64, x: &[f32], y: &[f32]| -> f64 {
        x.iter().zip(y).map(|(&x, &y)| term(x.into(), y.into())).sum()
    };
    let dot = sum(|x, y| x * y, x, y);
    match kind {
        Similarity::Dot => dot,
        Similarity::Cosine => {
            let norm = |v: &[f32]| sum(|x, y| x * y, v, v).sqrt().max(1e-12);
            dot / (norm(x) * norm(y))
        }
        Similarity::Euclidean => -sum(|x, y| (x - y).powi(2), x, y).sqrt(),
        Similarity::Manhattan => -sum(|x, y| (x - y).abs(), x, y),
    }
}

/// Small whole numbers: products are exact and ties are many.
fn rows(rows: std::ops::Range<usize>, dimension: usize) -> impl Strategy<Value = Vec<f32>> {
    rows.prop_flat_map(move |rows| prop::collection::vec((-3i8..4).prop_map(f32::from), rows * dimension))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_search_finds_what_sorting_all_similarities_finds(
        queries in rows(1..6, 5), documents in rows(1..60, 5), depth in 1usize..20, size in 1usize..40,
    ) {
        let ids = ids(documents.len() / 5);
        for kind in [Similarity::Dot, Similarity::Euclidean, Similarity::Manhattan] {
            let found = search(kind, &queries, &documents, 5, depth, size);
            for (query, found) in queries.chunks(5).zip(found) {
                let all = documents.chunks(5).enumerate();
                let all = all.map(|(document, row)| (document as u32, exact(kind, query, row) as f32)).collect();
                let mut expected = sorted(all, &ids);
                expected.truncate(depth);
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn scores_are_the_similarities_and_agree_with_those_of_candidates(
        queries in rows(1..4, 33), documents in rows(1..20, 33),
    ) {
        for kind in KINDS {
            let candidates = Candidates::new(kind, documents.clone(), 33);
            for (query, found) in queries.chunks(33).zip(search(kind, &queries, &documents, 33, 100, 100)) {
                for (document, score) in found {
                    let expected = exact(kind, query, &documents[document as usize * 33..][..33]);
                    prop_assert!((f64::from(score) - expected).abs() < 1e-4, "{kind:?}: {score} and {expected}");
                    let reranked = candidates.scores(query, &[document])[0];
                    prop_assert!((f64::from(reranked) - expected).abs() < 1e-5, "{kind:?}: {reranked} and {expected}");
                }
            }
        }
    }

    #[test]
    fn the_place_of_a_document_or_query_does_not_change_its_score(
        values in prop::collection::vec(-1.0f32..1.0, 40 * 300), shift in 1usize..40,
    ) {
        let rotate = |values: &[f32]| [&values[shift * 300..], &values[..shift * 300]].concat();
        for kind in KINDS {
            let straight = search(kind, &values, &values, 300, 100, 17);
            let turned = search(kind, &rotate(&values), &rotate(&values), 300, 100, 40);
            for (query, found) in straight.iter().enumerate() {
                let mut one: Vec<Scored> = found.clone();
                let mut other: Vec<Scored> = turned[(query + 40 - shift) % 40].iter()
                    .map(|&(document, score)| ((document as usize + shift) as u32 % 40, score)).collect();
                one.sort_by_key(|item| item.0);
                other.sort_by_key(|item| item.0);
                prop_assert_eq!(&one, &other);
            }
        }
    }
}

#[test]
fn a_corpus_larger_than_every_block_is_searched_whole() {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 58) as f32 - 32.0
    };
    let queries: Vec<f32> = (0..300 * 4).map(|_| next()).collect();
    let documents: Vec<f32> = (0..9000 * 4).map(|_| next()).collect();
    let ids = ids(9000);
    let found = search(Similarity::Dot, &queries, &documents, 4, 50, 8500);
    for (query, found) in queries.chunks(4).zip(found) {
        let all = documents.chunks(4).enumerate();
        let all =
            all.map(|(document, row)| (document as u32, exact(Similarity::Dot, query, row) as f32)).collect();
        let mut expected = sorted(all, &ids);
        expected.truncate(50);
        assert_eq!(found, expected);
    }
}

#[test]
fn equal_scores_keep_the_documents_with_the_largest_ids() {
    let found = search(Similarity::Cosine, &[1.0], &[1.0; 5000], 1, 3, 1000);
    let mut names = ids(5000);
    names.sort();
    let all = ids(5000);
    let kept: Vec<&str> = found[0].iter().map(|item| all[item.0 as usize].as_str()).collect();
    assert_eq!(kept, names.iter().rev().take(3).map(String::as_str).collect::<Vec<_>>());
}

/// CPython: `heapq` with capacity 5, pushing (score, id) of 9 5 7 5 8 1 5 6 6 3 8 with ids a, b, … k.
#[test]
fn the_heap_lies_in_memory_as_pythons_does() {
    let ids: Vec<String> = ('a'..='k').map(String::from).collect();
    let mut heap = Heap::new(5);
    assert_eq!(heap.floor(), f32::NEG_INFINITY);
    for (document, score) in [9.0, 5.0, 7.0, 5.0, 8.0, 1.0, 5.0, 6.0, 6.0, 3.0, 8.0].into_iter().enumerate() {
        heap.push(&ids, (document as u32, score));
    }
    assert_eq!(heap.floor(), 6.0);
    let layout: Vec<(&str, f32)> = heap
        .into_items()
        .into_iter()
        .map(|(document, score)| (ids[document as usize].as_str(), score))
        .collect();
    assert_eq!(layout, HEAPQ);
}

const HEAPQ: [(&str, f32); 5] = [("i", 6.0), ("e", 8.0), ("c", 7.0), ("a", 9.0), ("k", 8.0)];

#[test]
fn embeddings_of_another_length_are_refused() {
    let search = Search::new(Similarity::Dot, vec![0.0; 6], 3, 10);
    let error = search.best(&mut [0.0; 8], 4, 0, &ids(2), &[f32::NEG_INFINITY; 2]).unwrap_err();
    assert_eq!(error.to_string(), "expected document embeddings of 3 numbers, as the queries have, found 4");
}

#[test]
fn a_similarity_that_is_not_a_number_is_named_by_its_query() {
    let search = Search::new(Similarity::Dot, vec![1.0, 1.0, 0.0, 1.0], 2, 10);
    let error = search.best(&mut [f32::INFINITY, 1.0], 2, 0, &ids(1), &[f32::NEG_INFINITY; 2]).unwrap_err();
    assert!(matches!(error, SearchError::NotANumber { query: 1 }), "{error}");
}

#[test]
fn an_empty_corpus_gives_every_query_nothing() {
    let search = Search::new(Similarity::Cosine, vec![1.0; 4], 2, 10);
    let found = search.best(&mut [], 2, 0, &ids(0), &[f32::NEG_INFINITY; 2]).unwrap();
    assert_eq!(found, [Vec::new(), Vec::new()]);
}
