//! A folder is read in one format; a file of another one is named.

use crate::task::Task;

#[test]
fn a_split_of_another_format_is_named_with_the_file_that_takes_its_place() {
    let rows = "{\"text\": \"hujan\", \"label\": \"a\"}\n{\"text\": \"panas\", \"label\": \"b\"}\n";
    let task = Task::of(
        "Classification",
        "data",
        &[("data/test.csv", "text,label\nhujan,a\npanas,b\n"), ("data/train.jsonl", rows)],
    );
    insta::assert_snapshot!(task.fault(), @"");
}
