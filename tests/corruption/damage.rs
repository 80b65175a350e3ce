//! Damage to cards and to data files.

use mteb_measures::random::SplitMix64;

use super::healthy::{Healthy, Task};

/// Breaks the card of `task` so that it is no valid card; says how.
pub fn damage_card(set: &Healthy, task: &Task, random: &mut SplitMix64) -> String {
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

/// Breaks a data file of `task` so that it cannot be read as what the task needs; gives the place
/// that an error must name and says how.
pub fn damage_data(set: &Healthy, task: &Task, random: &mut SplitMix64) -> (&'static str, String) {
    let file = *random.pick(task.files);
    let path = format!("data/{file}");
    let bytes = set.read(&path);
    let (damaged, what) = if file.ends_with(".parquet") || file.ends_with(".gz") {
        compress(&bytes, random)
    } else if file.ends_with(".jsonl") {
        lines(&bytes, task, random)
    } else {
        cells(&bytes, file.ends_with(".tsv"), random)
    };
    let place = match damaged {
        Some(damaged) => {
            set.write(&path, &damaged);
            file
        }
        None => {
            std::fs::remove_file(set.path(&path)).unwrap();
            task.name
        }
    };
    (place, format!("{path}: {what}"))
}

/// Changes one bit of a data file of `task`.
pub fn flip(set: &Healthy, task: &Task, random: &mut SplitMix64) -> (&'static str, String) {
    let file = *random.pick(task.files);
    let path = format!("data/{file}");
    let mut bytes = set.read(&path);
    let place = random.below(bytes.len());
    bytes[place] ^= 1 << random.below(8);
    set.write(&path, &bytes);
    (file, format!("{path}: a bit of byte {place} is another"))
}

fn compress(bytes: &[u8], random: &mut SplitMix64) -> (Option<Vec<u8>>, String) {
    match random.below(3) {
        0 => {
            let length = random.below(bytes.len());
            (Some(bytes[..length].to_vec()), format!("cut to {length} of {} bytes", bytes.len()))
        }
        1 => (None, "removed".to_owned()),
        _ => {
            let mut bytes = bytes.to_vec();
            let length = random.below(8) + 4;
            let end = bytes.len();
            bytes[end - length..].fill(0);
            (Some(bytes), format!("the last {length} bytes are 0"))
        }
    }
}

fn lines(bytes: &[u8], task: &Task, random: &mut SplitMix64) -> (Option<Vec<u8>>, String) {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let place = random.below(lines.len());
    let what = match random.below(6) {
        0 => {
            let length = 1 + random.below(lines[place].len() - 1);
            lines[place].truncate(length);
            format!("line {} cut to {length} bytes", place + 1)
        }
        1 => {
            let middle = 3 + random.below(lines[place].len() / 2);
            lines[place].insert(middle, 0xff);
            format!("line {} is not UTF-8", place + 1)
        }
        2 => {
            lines[place] = b"[1, 2]".to_vec();
            format!("line {} is a list", place + 1)
        }
        3 => {
            let present: Vec<&&str> =
                task.columns.iter().filter(|column| text.contains(&format!("\"{column}\""))).collect();
            let column = random.pick(&present);
            let old = format!("\"{column}\"");
            lines = text.lines().map(|line| line.replace(&old, "\"lain\"").into_bytes()).collect();
            format!("column {column} is called otherwise")
        }
        4 => {
            let line = String::from_utf8(lines[place].clone()).unwrap();
            let start = line.find(": ").unwrap() + 2;
            let end = line[start..].find([',', '}']).unwrap() + start;
            lines[place] = format!("{}{{\"dalam\": 1}}{}", &line[..start], &line[end..]).into_bytes();
            format!("line {} has an object for a text", place + 1)
        }
        _ => return (None, "removed".to_owned()),
    };
    (Some(lines.join(&b'\n')), what)
}

fn cells(bytes: &[u8], tabs: bool, random: &mut SplitMix64) -> (Option<Vec<u8>>, String) {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let separator = if tabs { b'\t' } else { b',' };
    let place = 1 + random.below(lines.len() - 1);
    let what = match random.below(5) {
        0 => {
            lines[place].push(separator);
            format!("line {} has a cell too many", place + 1)
        }
        1 => {
            let end = lines[place].iter().position(|&byte| byte == separator).unwrap();
            lines[place].truncate(end);
            format!("line {} has a cell only", place + 1)
        }
        2 => {
            lines[place].insert(1, 0xfe);
            format!("line {} is not UTF-8", place + 1)
        }
        3 => {
            let head = String::from_utf8(lines[0].clone()).unwrap();
            let columns: Vec<&str> = head.split(separator as char).collect();
            let column = *random.pick(&columns);
            lines[0] = head.replacen(column, "lain", 1).into_bytes();
            format!("column {column} is called otherwise")
        }
        _ => return (None, "removed".to_owned()),
    };
    (Some(lines.join(&b'\n')), what)
}
