//! Damage to cards.

use mteb_measures::random::SplitMix64;

use super::healthy::{Healthy, Task};

/// Breaks the card of `task` so that it is no valid card; says how.
pub fn damage(set: &Healthy, task: &Task, random: &mut SplitMix64) -> String {
    let file = format!("cards/{}.toml", task.name);
    let text = String::from_utf8(set.read(&file)).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = random.below(lines.len());
    let fields: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].contains(" = ")).collect();
    let field = *random.pick(&fields);
    let (key, value) =
        lines[field].split_once(" = ").map(|(key, value)| (key.to_owned(), value.to_owned())).unwrap();
    let what = match random.below(9) {
        0 => {
            lines[field] = format!("{key}x = {value}");
            "a misspelt key"
        }
        1 => {
            lines[field] = format!("{key} = {{ 7 }}");
            "broken TOML"
        }
        2 => {
            lines[field] = format!("{key} = 1979-05-27");
            "a value of another type"
        }
        3 => {
            lines.insert(field, lines[field].clone());
            "a key that is there twice"
        }
        4 => {
            lines[line].push('"');
            "an open string"
        }
        5 => {
            let required = ["schema", "name", "description", "type"];
            let required = random.pick(&required);
            lines.retain(|line| !line.starts_with(&format!("{required} = ")));
            "a missing key"
        }
        6 => {
            let line = lines.iter().position(|line| line.starts_with("type")).unwrap();
            lines[line] = "type = \"Klasifikasi\"".to_owned();
            "an unknown task type"
        }
        7 => {
            lines.insert(line.min(4), format!("main_score = \"{key}_at_{line}\""));
            "a score that the type does not give"
        }
        _ => {
            lines.insert(line.min(4), "languages_of_old = [\"xx\"]".to_owned());
            "an unknown key"
        }
    };
    set.write(&file, (lines.join("\n") + "\n").as_bytes());
    format!("{file}, {what} near line {}: {}", line + 1, lines.join("\n"))
}

/// Changes the card of `task` so that it is a valid card which does not fit the data; says how.
pub fn mislead(set: &Healthy, task: &Task, random: &mut SplitMix64) -> String {
    let file = format!("cards/{}.toml", task.name);
    let mut text = String::from_utf8(set.read(&file)).unwrap();
    let data = format!("../data/{}", task.files[0].split('/').next().unwrap());
    // Files that the card names one by one have no splits and subsets of their own.
    let kinds: &[usize] = if task.name == "Labels" { &[0, 1, 2, 3] } else { &[0, 3] };
    let what = match random.pick(kinds) {
        0 => {
            text = text.replace(&data, &format!("../data/{}-tua", random.below(100)));
            "a path where nothing is"
        }
        1 => {
            text = text
                .replace("[dataset]", &format!("eval_splits = [\"uji{}\"]\n[dataset]", random.below(100)));
            "a split that is not there"
        }
        2 => {
            text = text.replace(
                "[dataset]",
                &format!(
                    "[subsets]\nbali{} = {{ languages = [\"ban-Latn\"] }}\n[dataset]",
                    random.below(100)
                ),
            );
            "a subset that is not there"
        }
        _ => {
            let column = ["sentences", "sentences", "text", "sentence2", "_id"];
            let column = column[super::TASKS.iter().position(|other| other.name == task.name).unwrap()];
            if task.name == "Search" {
                text += &format!("parts.corpus.columns = {{ {column} = \"nomor{}\" }}\n", random.below(100));
            } else {
                text = text
                    .lines()
                    .filter(|line| !line.starts_with("columns"))
                    .fold(String::new(), |text, line| text + line + "\n");
                let columns =
                    format!("[dataset]\ncolumns = {{ {column} = \"kolom{}\" }}\n", random.below(100));
                text = text.replace("[dataset]\n", &columns);
            }
            "a column that is not there"
        }
    };
    set.write(&file, text.as_bytes());
    format!("{file}, {what}: {text}")
}
