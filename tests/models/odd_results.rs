//! Folders of results of others, as the Python package reads them: only regular files are opened, what cannot be right does not count, and a
//! message names the file.

use super::live_models::lines;

/// A result in `results/`, and its file.
const BEGIN: &str = "
import pathlib
signal.alarm(300)
file = pathlib.Path(run('hashing').folder, TASK + '.json')
sound = file.read_text()
main = mteb_host.load_results()[0][0].main_score

def read():
    try:
        return [(unit.task == TASK, unit.main_score, unit.failure) for unit in mteb_host.load_results()[0]]
    except mteb_host.MtebHostError as error:
        return str(error).partition(TASK)[2]
";

#[test]
fn scores_that_contradict_their_file_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import re
def edited(value):
    file.write_text(re.sub(r'\"main_score\": [^,]*,', f'\"main_score\": {value},', sound, count=1))
    return read()

for value in ('0.99', '1e308', 'NaN', '\"0.5\"', 'true'):
    print(edited(value))
file.write_bytes(b'\\xef\\xbb\\xbf' + sound.encode())
print(read() == [(True, main, None)])
";
    let (found, said) = lines(folder.path(), &format!("{BEGIN}{program}"));
    assert_eq!(found[0], "[(True, None, 'expected `main_score` to be one of the scores, found: 0.99')]");
    assert_eq!(found[1], "[(True, None, 'expected `main_score` to be one of the scores, found: 1e+308')]");
    assert!(
        found[2]
            .starts_with("[(True, None, 'expected `main_score` to be the score `cosine_spearman`, which is ")
    );
    assert_eq!(
        found[3],
        ".json: split test, subset default: expected `main_score` to be a number, found: '0.5'"
    );
    assert_eq!(
        found[4],
        ".json: split test, subset default: expected `main_score` to be a number, found: True"
    );
    assert_eq!(found[5], "True");
    assert_eq!(
        said.matches(".json: left out: split test, subset default: expected `main_score`").count(),
        3,
        "{said}"
    );
}

#[test]
fn what_is_no_regular_file_is_not_opened_and_what_is_broken_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
def replaced(make):
    file.unlink()
    make(file)
    return read()

print(replaced(os.mkfifo))
print(replaced(lambda file: file.symlink_to('/dev/zero')))
for text in (sound[:200], '[]', '[' * 200000, sound.replace('{', '{\"x\": 1, \"x\": 2,', 1), sound.replace('\"mteb_host\"', '\"mteb_host\": 5, \"m\"')):
    print(str(replaced(lambda file: file.write_text(text)))[:60])

# Beside files of others: what is broken is left out, and named.
(file.parent / 'model_meta.json').unlink()
file.write_text(sound)
(file.parent / 'Cut.json').write_text(sound[:200])
os.mkfifo(file.parent / 'Pipe.json')
(file.parent / 'other.json').write_text('[]')
print([unit.task == TASK for unit in mteb_host.load_results()[0]])
(file.parent / 'model_meta.json').write_text('{\"name\": 5}')
(file.parent / 'Cut.json').unlink()
(file.parent / 'Pipe.json').unlink()
(file.parent / 'other.json').unlink()
try:
    mteb_host.load_results()
except mteb_host.MtebHostError as error:
    print(str(error).rpartition('/')[2])
";
    let (found, said) = lines(folder.path(), &format!("{BEGIN}{program}"));
    assert_eq!(
        found[..2],
        [".json: expected a regular file, found a pipe", ".json: expected a regular file, found a device"]
    );
    assert!(found[2].starts_with(".json: expected JSON: "), "{found:?}");
    assert_eq!(found[3], ".json: expected a file of results, found other JSON");
    assert!(found[4].starts_with(".json: expected JSON, found too many brackets within each"), "{found:?}");
    assert_eq!(found[5], ".json: expected each key once, found `x` twice");
    assert!(found[6].starts_with("[(True, "), "{found:?}");
    assert_eq!(found[7], "[True]");
    assert_eq!(found[8], "model_meta.json: expected `name` to be text, found: 5");
    assert!(said.contains("Cut.json: left out: expected JSON: "), "{said}");
    assert!(said.contains("Pipe.json: left out: expected a regular file, found a pipe"), "{said}");
    assert!(!said.contains("other.json"), "{said}");
}

#[test]
fn a_file_that_was_edited_is_not_given_to_the_reference() {
    let Some(python) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = "
import os, pathlib, re
import mteb_host

results = mteb_host.run('hashing', 'IndonesianGeneralSTS', registry='indonesia', quiet=True)
print(results.to_mteb().task_results[0].task_name)
file = pathlib.Path(results.folder, 'IndonesianGeneralSTS.json')
sound = file.read_text()
for text in (re.sub(r'\"main_score\": [^,]*,', '\"main_score\": 0.99,', sound, count=1), re.sub(r'(_spearman|main_score)\": [0-9.]+,', r'\\1\": 0.5,', sound), sound[:200]):
    file.write_text(text)
    try:
        results.to_mteb()
    except mteb_host.MtebHostError as error:
        print(str(error).rpartition('.json: ')[2])
";
    let found = super::live_library::list_lines(&python, folder.path(), program);
    assert_eq!(found[0], "IndonesianGeneralSTS");
    assert_eq!(
        found[1],
        "split test, subset default: expected `main_score` to be one of the scores, found: 0.99"
    );
    assert!(
        found[2].contains("expected the main score of these results, ")
            && found[2].contains("found 0.5; it was changed since")
    );
    assert!(found[3].starts_with("expected JSON: "), "{found:?}");
}
