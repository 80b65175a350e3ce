//! Objects without a name or a revision of their own, and what a reranker tells of its pairs.

use super::live_models::lines;

#[test]
fn two_objects_without_a_revision_share_neither_results_nor_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
def weighted(weight):
    return lambda texts: [[weight, float(len(text))] for text in texts]

TASKS = ['IndonesianGeneralSTS', 'IndonesianSocialSTS']
one, other = run(weighted(1.0), TASKS[0]), run(weighted(2.0), TASKS[1])
print(one.revision == other.revision, one.folder == other.folder)
print([found.tasks for found in mteb_host.load_results()] in ([[TASKS[0]], [TASKS[1]]], [[TASKS[1]], [TASKS[0]]]))
board = mteb_host.leaderboard(task=TASKS)
print([(row['mean_task'], sum(score is not None for score in row['tasks'].values())) for row in board])
again = run(weighted(1.0), TASKS[0])
print(again.folder == one.folder, state(again), one.revision.startswith('unnamed-'))

class Held:
    def __init__(self, weight):
        self._weight = weight
    def encode(self, texts):
        return rows(texts)

print(len({run(Held(weight)).revision for weight in (1, 1, 2)}))
before = run(Held(1)).revision
class Held(Held):
    def encode(self, texts):
        return [row[1:] for row in rows(texts)]
print(run(Held(1)).revision == before)
";
    let (found, _) = lines(folder.path(), program);
    let expected = ["False False", "True", "[(None, 1), (None, 1)]", "True scored True", "2", "False"]
        .map(str::to_owned);
    assert_eq!(found, expected);
}

#[test]
fn the_pairs_of_a_reranker_are_known_from_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
class Pairs:
    def predict(self, pairs):
        return [float(len(query) + len(document)) for query, document in pairs]

run(Pairs(), 'IndonesianHowToReranking', quiet=False)
";
    let (_, said) = lines(folder.path(), program);
    let counts: Vec<&str> = said.lines().filter(|line| line.contains(" units, ")).collect();
    // 20 candidates for each of 150 queries.
    assert!(!counts.is_empty() && counts.iter().all(|line| line.contains("/3000 texts")), "{said}");
    assert!(
        counts.last().is_some_and(|line| line.starts_with("1/1 units, 100 %, 3000/3000 texts")),
        "{said}"
    );
}
