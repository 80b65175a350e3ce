//! Reads what one model came to on the items of a unit from a table of outcomes, as its task type has
//! them.

use std::collections::{BTreeSet, HashMap};

use mteb_card::TaskType;
use mteb_items::outcomes::{ItemColumn, Items, OutcomesError};
use mteb_measures::classify::multilabel::{MultilabelScores, multilabel_scores};
use mteb_measures::correlation::{pearson, spearman};

use super::side::{NEARNESS, Side, Values, find_column_of_score, ids, read_clusterings, read_pairs};
use crate::compare::{Statistic, Texts};

/// The items of a table of outcomes of a task of `task_type`; `main_score` is the score that stands
/// for its unit. Outcomes of types that packs and cards declare, and those of which no type is
/// known, are told by their columns.
///
/// # Errors
/// If a column is absent.
pub(super) fn read_side(
    items: &Items,
    task_type: Option<TaskType>,
    main_score: &str,
) -> Result<Side, OutcomesError> {
    match task_type {
        Some(
            TaskType::Retrieval
            | TaskType::Reranking
            | TaskType::InstructionRetrieval
            | TaskType::InstructionReranking,
        ) => read_queries(items, main_score),
        Some(TaskType::BitextMining) => read_sentences(items, main_score),
        Some(TaskType::Clustering) => read_clusterings(items),
        Some(TaskType::Summarization) => read_summaries(items, main_score),
        Some(TaskType::MultilabelClassification) => read_label_sets(items, main_score),
        Some(TaskType::Regression) => read_numbers(items),
        Some(TaskType::Classification) => read_predictions(items),
        Some(TaskType::PairClassification | TaskType::Sts) => read_pairs(items, main_score),
        Some(TaskType::Own(_)) | None => read_by_columns(items, main_score),
    }
}

/// The items of a table of outcomes of which only the columns are known.
///
/// # Errors
/// If they are of no known kind.
fn read_by_columns(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let has = |name: &str| items.get(name).is_some();
    match items.get("prediction_0") {
        _ if has("query") => read_queries(items, main_score),
        _ if has("outcome") => read_own_rows(items, main_score),
        _ if has("found") => read_sentences(items, main_score),
        _ if has("cluster") => read_clusterings(items),
        _ if has("summary") => read_summaries(items, main_score),
        Some(ItemColumn::Lists(_)) => read_label_sets(items, main_score),
        Some(ItemColumn::Float(_)) => read_numbers(items),
        Some(_) => read_predictions(items),
        None => read_pairs(items, main_score),
    }
}

/// The queries that have the measure `main_score`.
///
/// # Errors
/// If there is no such column.
fn read_queries(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    // The reference's accuracy of a search is its recall at 1.
    let name = if main_score == "accuracy" { "recall_at_1" } else { main_score };
    let scores = items.floats(name)?;
    // Some measures are of groups of queries, and stand with one of them.
    let scored = items.texts("query")?.iter().zip(scores).filter(|(_, score)| !score.is_nan());
    let (ids, scores): (Vec<String>, Vec<f64>) = scored.map(|(id, score)| (id.to_owned(), *score)).unzip();
    Ok(Side {
        kind: "queries",
        texts: Texts::Queries,
        measure: name.to_owned(),
        item_measure: "the same measure",
        ids,
        values: Values::Scores(scores),
    })
}

/// The rows with what each came to.
///
/// # Errors
/// If a column is absent.
fn read_own_rows(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    Ok(Side {
        kind: "rows",
        texts: Texts::Rows,
        measure: main_score.to_owned(),
        item_measure: "what the evaluator of the type gives a row",
        ids: ids(items.ints("row")?),
        values: Values::Scores(items.floats("outcome")?.to_vec()),
    })
}

/// The sentences that were sought for. The F1 of a task is the mean of the F1 of their
/// translations, each as a class.
///
/// # Errors
/// If a column is absent.
fn read_sentences(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (gold, found) = (items.ints("gold")?, items.ints("found")?);
    let is_f1 = main_score == "f1";
    let (measure, item_measure) = match is_f1 {
        true => (
            "f1",
            "F1 of its translation: 0 if it was not found, less than 1 if other sentences found it, too",
        ),
        false => ("accuracy", "1 if its translation was found, else 0"),
    };
    let scores = if is_f1 { f1_of_gold(gold, found) } else { is_found(gold, found).collect() };
    Ok(Side {
        kind: "sentences",
        texts: Texts::Rows,
        measure: measure.to_owned(),
        item_measure,
        ids: ids(items.ints("source")?),
        values: Values::Scores(scores),
    })
}

fn is_found<'a>(gold: &'a [i64], found: &'a [i64]) -> impl Iterator<Item = f64> + 'a {
    gold.iter().zip(found).map(|(gold, found)| f64::from(u8::from(gold == found)))
}

/// For each sentence the F1 of its gold as a class: twice its hits over the sentences that have it
/// and those that found it.
fn f1_of_gold(gold: &[i64], found: &[i64]) -> Vec<f64> {
    let (mut hits, mut both): (HashMap<i64, f64>, HashMap<i64, f64>) = (HashMap::new(), HashMap::new());
    for (class, hit) in gold.iter().zip(is_found(gold, found)) {
        *hits.entry(*class).or_default() += hit;
    }
    for class in gold.iter().chain(found) {
        *both.entry(*class).or_default() += 1.0;
    }
    gold.iter().map(|class| 2.0 * hits[class] / both[class]).collect()
}

/// The documents whose summaries differ in relevance and in likeness.
///
/// # Errors
/// If a column is absent.
fn read_summaries(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (rows, gold) = (items.ints("row")?, items.floats("gold")?);
    let (column, is_linear) = (find_column_of_score(main_score), main_score.ends_with("pearson"));
    let (found, cosine, dot) = (items.floats(column)?, items.floats("cosine")?, items.floats("dot")?);
    let (mut ids, mut scores, mut start) = (Vec::new(), Vec::new(), 0);
    for document in rows.chunk_by(|left, right| left == right) {
        let range = start..start + document.len();
        start = range.end;
        if [gold, cosine, dot].iter().any(|cells| is_constant(&cells[range.clone()])) {
            continue;
        }
        let correlate = if is_linear { pearson } else { spearman };
        ids.push(document[0].to_string());
        scores.push(correlate(&gold[range.clone()], &found[range]));
    }
    Ok(Side {
        kind: "documents",
        texts: Texts::Rows,
        measure: format!("{column}_{}", if is_linear { "pearson" } else { "spearman" }),
        item_measure: "the same measure",
        ids,
        values: Values::Scores(scores),
    })
}

fn is_constant(cells: &[f64]) -> bool {
    cells.iter().all(|cell| *cell == cells[0])
}

/// The texts with their mean over experiments: of `main_score` where it is a mean over texts, else
/// of the accuracy.
///
/// # Errors
/// If a column is absent.
fn read_label_sets(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    items.lists("prediction_0")?;
    let (rows, gold) = (items.ints("row")?, items.lists("gold")?);
    let (measure, score): (_, fn(&MultilabelScores) -> f64) = match main_score {
        "lrap" => ("lrap", |scores| scores.ranking_precision),
        "hamming" => ("hamming", |scores| scores.hamming),
        _ => ("accuracy", |scores| scores.accuracy),
    };
    let distinct: BTreeSet<&str> = gold.iter().flatten().map(String::as_str).collect();
    let codes: HashMap<&str, u32> = distinct.into_iter().zip(0..).collect();
    let coded = |labels: &Vec<String>| {
        let mut found: Vec<u32> =
            labels.iter().filter_map(|label| codes.get(label.as_str()).copied()).collect();
        found.sort_unstable();
        found
    };
    let experiments = items.numbered("prediction_").count();
    let mut sums = vec![0.0; rows.len()];
    for number in 0..experiments {
        let predicted = items.lists(&format!("prediction_{number}"))?;
        for (sum, (gold, found)) in sums.iter_mut().zip(gold.iter().zip(predicted)) {
            *sum += score(&multilabel_scores(&[coded(gold)], &[coded(found)], codes.len()));
        }
    }
    sums.iter_mut().for_each(|sum| *sum /= experiments as f64);
    Ok(Side {
        kind: "texts",
        texts: Texts::Rows,
        measure: measure.to_owned(),
        item_measure: "the same measure",
        ids: ids(rows),
        values: Values::Scores(sums),
    })
}

/// The texts with the mean of what experiments predicted.
///
/// # Errors
/// If a column is absent.
fn read_numbers(items: &Items) -> Result<Side, OutcomesError> {
    items.floats("prediction_0")?;
    let gold = items.floats("gold")?;
    let experiments = items.numbered("prediction_").count();
    let mut numbers = vec![0.0; gold.len()];
    for number in 0..experiments {
        let predicted = items.floats(&format!("prediction_{number}"))?;
        numbers.iter_mut().zip(predicted).for_each(|(sum, found)| *sum += found / experiments as f64);
    }
    Ok(Side {
        kind: "texts",
        texts: Texts::Rows,
        measure: "spearman".to_owned(),
        item_measure: NEARNESS,
        ids: ids(items.ints("row")?),
        values: Values::Ranked { statistic: Statistic::Spearman, gold: gold.to_vec(), numbers },
    })
}

/// The texts with the share of the experiments that predicted their label.
///
/// # Errors
/// If a column is absent.
fn read_predictions(items: &Items) -> Result<Side, OutcomesError> {
    items.texts("prediction_0")?;
    let (rows, gold) = (items.ints("row")?, items.texts("gold")?);
    let experiments = items.numbered("prediction_").count();
    let mut right = vec![0.0; rows.len()];
    for number in 0..experiments {
        let predicted = items.texts(&format!("prediction_{number}"))?;
        for (right, (gold, found)) in right.iter_mut().zip(gold.iter().zip(predicted.iter())) {
            *right += f64::from(u8::from(gold == found));
        }
    }
    right.iter_mut().for_each(|right| *right /= experiments as f64);
    Ok(Side {
        kind: "texts",
        texts: Texts::Rows,
        measure: "accuracy".to_owned(),
        item_measure: "share of the experiments that are right",
        ids: ids(rows),
        values: Values::Scores(right),
    })
}

#[cfg(test)]
mod tests {
    use mteb_card::TaskType;
    use mteb_items::outcomes::{ItemColumn, Items};

    use super::{f1_of_gold, read_side};

    #[test]
    fn the_mean_over_sentences_is_the_weighted_f1_of_scikit_learn() {
        // f1_score([0, 1, 2, 3], [0, 0, 2, 2], average="weighted") = 0.333…
        let scores = f1_of_gold(&[0, 1, 2, 3], &[0, 0, 2, 2]);
        assert!((scores.iter().sum::<f64>() / 4.0 - 1.0 / 3.0).abs() < 1e-12, "{scores:?}");
    }

    #[test]
    fn outcomes_are_read_as_their_type_has_them_whatever_other_columns_there_are() {
        let items = Items {
            columns: vec![
                ("row".to_owned(), ItemColumn::Int(vec![0, 1])),
                ("gold".to_owned(), ItemColumn::Float(vec![1.0, 4.0])),
                ("similarity".to_owned(), ItemColumn::Float(vec![0.1, 0.9])),
                ("found".to_owned(), ItemColumn::Float(vec![1.0, 1.0])),
            ],
        };
        let kind = |task_type| {
            read_side(&items, task_type, "spearman").map(|side| side.kind).map_err(|error| error.to_string())
        };
        assert_eq!(kind(Some(TaskType::Sts)), Ok("pairs"));
        let expected =
            |column: &str| format!("expected a column `{column}`, found: row, gold, similarity, found");
        let error = kind(Some(TaskType::Retrieval)).unwrap_err();
        assert_eq!(error.replace(" of numbers", ""), expected("spearman"));
        // Nothing says of older outcomes which type they are of: what is `found` are translations.
        let error = kind(None).unwrap_err();
        assert_eq!(error.replace(" of whole numbers", ""), expected("gold"));
    }

    #[test]
    fn a_classification_without_predictions_has_no_outcomes() {
        let items = Items {
            columns: vec![
                ("row".to_owned(), ItemColumn::Int(vec![0])),
                ("gold".to_owned(), ItemColumn::Text(["a"].into_iter().collect())),
            ],
        };
        let error = read_side(&items, Some(TaskType::Classification), "accuracy").unwrap_err();
        assert_eq!(error.to_string(), "expected a column `prediction_0` of texts, found: row, gold");
    }
}
