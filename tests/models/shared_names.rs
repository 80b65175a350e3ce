//! One name and revision for models of two plugins: their results share a file, which is said, and
//! another name keeps both.

use super::live_models::lines;

#[test]
fn a_model_with_the_name_of_one_of_another_plugin_is_told_once_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
TASKS = ['IndonesianGeneralSTS', 'IndonesianSocialSTS']
native = run('random', TASKS)

def told(model, **named):
    print('---', file=sys.stderr)
    return run(model, TASKS, quiet=False, **named)

named = {'name': native.model, 'revision': native.revision}
print(told(Typed(), **named).folder == native.folder)
again = told('random')
print(again.units == native.units, state(again))
print(told(Typed(), name='lab/typed', revision='1').folder == native.folder)
print(len(mteb_host.load_results().models))
";
    let (found, said) = lines(folder.path(), program);
    assert_eq!(found, ["True", "True found", "False", "2"], "{said}");
    let parts: Vec<&str> = said.split("---").collect();
    let count = |part: &str, words: &str| part.matches(words).count();
    let told = |part: &str| count(part, "for a model of the same name and revision");
    assert_eq!(parts.iter().map(|part| told(part)).collect::<Vec<_>>(), [0, 1, 1, 0], "{said}");
    assert_eq!(
        count(parts[1], "of the plugin python, found results of the plugin random-encoder"),
        1,
        "{said}"
    );
    assert_eq!(
        count(parts[2], "of the plugin random-encoder, found results of the plugin python"),
        1,
        "{said}"
    );
    assert!(parts[1].contains("`--name ORGANISATION/MODEL` calls a model in Python otherwise"), "{said}");
}
