//! `mteb-host new task`: a card for data of one's own, or one with sample rows.

use std::path::{Component, Path, PathBuf};

use clap::Args;
use mteb_base::suggest::hint;
use mteb_card::LICENSES;
use mteb_data::TextForm;
use mteb_registry::language_fault;
use mteb_tasks::{TaskType, facts};
use mteb_workers::settings::Settings;

use super::card_text::CardText;
use super::names::{Names, read_name};
use super::own_data::{OwnData, look_at};
use super::question::{can_ask, check_agreement, choose_value};
use super::template::{Files, check_printed, samples};
use crate::commands::arguments::{FilterArgs, FormatArgs, ValueError};
use crate::commands::validate::data::validate_data;
use crate::exit::Exit;
use crate::output::{self, usage};

/// Arguments of `new task`.
#[derive(Args, Debug)]
pub struct TaskArgs {
    /// Name of the task, e.g. `MySTS`.
    name: String,
    /// File or folder with your data. Its columns and task type are guessed, shown, and written
    /// after you confirm. Without this option, sample rows are written for you to replace.
    #[arg(long, value_name = "FILE|DIR")]
    data: Option<PathBuf>,
    /// Task type, e.g. `STS` [default: guessed from the data].
    #[arg(long = "type", value_name = "T")]
    task_type: Option<String>,
    /// Map an expected column to a column of the file, e.g. `sentence1=kalimat`; may be repeated.
    #[arg(long, value_name = "COLUMN=NAME", value_parser = column, requires = "data")]
    column: Vec<(String, String)>,
    /// Character between the cells of CSV files, e.g. `;`.
    #[arg(long, value_name = "CHARACTER", value_parser = mark, requires = "data")]
    delimiter: Option<char>,
    /// Decimal mark of the numbers in CSV and TSV files: `.` or `,`.
    #[arg(long, value_name = "CHARACTER", requires = "data")]
    decimal: Option<char>,
    /// Encoding of text files, e.g. `windows-1252` [default: UTF-8].
    #[arg(long, value_name = "NAME", requires = "data")]
    encoding: Option<String>,
    /// Language and script of the texts, e.g. `ind-Latn`; may be repeated [default: detected from
    /// the texts].
    #[arg(long, value_name = "L")]
    language: Vec<String>,
    /// What the task measures, in one sentence.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Licence of the data, e.g. `cc-by-4.0`.
    #[arg(long, value_name = "L")]
    licence: Option<String>,
    /// Folder in which to create the card.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    /// Accept the guesses without asking.
    #[arg(long)]
    yes: bool,
}

impl TaskArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let names = read_name(&self.name).map_err(usage)?;
        let asked = self.task_type.as_deref().map(|name| read_type("--type", name)).transpose()?;
        if let Some(licence) = self.licence.as_deref().filter(|licence| !mteb_card::is_license(licence)) {
            let near = hint(licence, LICENSES.iter().copied(), "or a URL");
            return Err(usage(format!(
                "`--licence`: expected a licence such as `cc-by-4.0`, found: {licence}{near}"
            )));
        }
        match &self.data {
            Some(data) => self.begin_with_own_data(&names, data, asked),
            None => self.begin_with_samples(&names, asked),
        }
    }

    /// A card for the data of the user.
    fn begin_with_own_data(&self, names: &Names, data: &Path, asked: Option<TaskType>) -> Result<Exit, Exit> {
        let absent =
            |error| usage(format!("{}: expected a file or a folder of data: {error}", data.display()));
        let place = data.canonicalize().map_err(absent)?;
        let form = self.form()?;
        let found = look_at(data, form.as_ref(), asked, &self.column)
            .map_err(|why| usage(name_options(&why.to_string())))?;
        output::say(format!("{}: a task of the type {}", data.display(), found.task_type));
        found.seen.iter().for_each(|line| output::say(format!("  {line}")));
        if !found.others.is_empty() {
            let others: Vec<String> = found.others.iter().map(|other| format!("`--type {other}`")).collect();
            output::say(format!("  the same columns also fit {}", others.join(" and ")));
        }
        if self.language.is_empty()
            && let Some(language) = &found.language
        {
            output::say(format!("  most texts seem to be in {language}"));
        }
        let folder = std::path::absolute(&self.output).map_err(usage)?;
        let path = relative(&place, &folder.canonicalize().unwrap_or(folder));
        if path.starts_with("..") {
            return Err(usage(format!(
                "`--output {}`: expected a folder that holds the data, because a card reads only what lies below it, found data in {}",
                self.output.display(),
                place.parent().unwrap_or(&place).display()
            )));
        }
        let card = self.card(names, &found, path)?;
        let (file, text) = (format!("{}.toml", names.kebab), card.toml());
        check_printed(output::print(&format!("{}\n", text.trim_end())))?;
        check_agreement(self.yes, &format!("Write {}?", self.output.join(&file).display()))?;
        let mut files = Files::default();
        files.add(&file, text);
        files.write(&self.output)?;
        let path = self.output.join(&file).display().to_string();
        let settings = Settings::new(Vec::new(), None, None, true);
        let exit = validate_data(
            std::slice::from_ref(&path),
            &FilterArgs::default(),
            settings,
            (FormatArgs::default(), false),
        );
        if exit == Exit::Done {
            check_printed(output::print(&format!(
                "score a model: mteb-host run --registry {path} --model hashing"
            )))?;
        }
        Ok(exit)
    }

    fn card(&self, names: &Names, found: &OwnData, path: String) -> Result<CardText, Exit> {
        let languages = self.languages(found.language.clone())?;
        let mut protocol = Vec::new();
        if found.task_type == TaskType::Clustering {
            // Of few rows the usual share would leave next to nothing.
            protocol.push("max_documents = 0".to_owned());
        }
        // The scale of the protocol is from 0 to 5.
        if let Some([low, high]) = found.range.filter(|[low, high]| *low < 0.0 || *high > 5.0 || *high <= 1.0)
        {
            protocol.push(format!("min_score = {:?}", low.min(0.0)));
            protocol.push(format!("max_score = {:?}", if high <= 1.0 { 1.0 } else { high }));
        }
        Ok(CardText {
            name: names.given.clone(),
            task_type: found.task_type,
            description: self.description_of(found.task_type)?,
            languages,
            licence: self.licence.clone(),
            eval_split: Some(found.split.clone()).filter(|split| split != "test"),
            train_split: found.train_split.clone(),
            path,
            columns: found.columns.clone(),
            parts: found.parts.clone(),
            form: self.form()?.unwrap_or_default(),
            holds_out: found.holds_out,
            labels: found.labels.clone(),
            protocol,
            more: String::new(),
        })
    }

    /// A card with sample rows beside it.
    fn begin_with_samples(&self, names: &Names, asked: Option<TaskType>) -> Result<Exit, Exit> {
        let task_type = match asked {
            Some(task_type) => task_type,
            None => {
                let all: Vec<&str> = TaskType::ALL.iter().map(|known| known.as_str()).collect();
                let question = format!("Type of the task ({})", all.join(", "));
                read_type("--type", &choose_value(None, &question, "--type T` or `--data FILE", None)?)?
            }
        };
        let languages = self.languages(Some("eng-Latn".to_owned()))?;
        let description = self.description_of(task_type)?;
        let path = names.kebab.clone();
        let card = sample_card(names, task_type, &description, &languages, self.licence.clone(), path);
        let mut files = Files::default();
        files.add(format!("{}.toml", names.kebab), card.toml());
        for (file, rows) in samples(task_type) {
            files.add(Path::new(&names.kebab).join(file), *rows);
        }
        files.write(&self.output)?;
        let path = self.output.join(format!("{}.toml", names.kebab));
        check_printed(output::print(&format!(
            "replace the sample rows, then check them: mteb-host validate --data {0}\nscore a model: mteb-host run --registry {0} --model hashing",
            path.display()
        )))?;
        Ok(Exit::Done)
    }

    /// How the files are written, where not as usual.
    fn form(&self) -> Result<Option<TextForm>, Exit> {
        let form =
            TextForm { delimiter: self.delimiter, decimal: self.decimal, encoding: self.encoding.clone() };
        match form.faults().first() {
            Some((field, fault)) => Err(usage(format!("`--{field}`: {fault}"))),
            None => Ok(Some(form).filter(|form| *form != TextForm::default())),
        }
    }

    fn languages(&self, guessed: Option<String>) -> Result<Vec<String>, Exit> {
        let languages = match self.language.as_slice() {
            [] => {
                let answer = choose_value(
                    None,
                    "Language and script of the texts, e.g. ind-Latn",
                    "--language L",
                    guessed,
                )?;
                answer.split([',', ' ']).filter(|one| !one.is_empty()).map(str::to_owned).collect()
            }
            given => given.to_vec(),
        };
        check_languages(&languages)?;
        Ok(languages)
    }

    fn description_of(&self, task_type: TaskType) -> Result<String, Exit> {
        let otherwise = Some(facts(task_type).about.to_owned());
        if self.description.is_none() && !can_ask() {
            return Ok(facts(task_type).about.to_owned());
        }
        choose_value(
            self.description.clone(),
            "What it measures, in one sentence",
            "--description TEXT",
            otherwise,
        )
    }
}

/// The card of a task of sample rows.
pub fn sample_card(
    names: &Names,
    task_type: TaskType,
    description: &str,
    languages: &[String],
    licence: Option<String>,
    path: String,
) -> CardText {
    let protocol = match task_type {
        TaskType::Clustering => vec!["max_documents = 0".to_owned()],
        _ => Vec::new(),
    };
    CardText {
        name: names.given.clone(),
        task_type,
        description: description.to_owned(),
        languages: languages.to_vec(),
        licence,
        eval_split: None,
        train_split: None,
        path,
        columns: Vec::new(),
        parts: Vec::new(),
        form: TextForm::default(),
        holds_out: false,
        labels: None,
        protocol,
        more: String::new(),
    }
}

/// The type called `name`.
///
/// # Errors
/// If there is none, which is said.
pub fn read_type(option: &str, name: &str) -> Result<TaskType, Exit> {
    let known = || TaskType::ALL.iter().map(|known| known.as_str());
    let found = TaskType::ALL.iter().find(|known| known.as_str().eq_ignore_ascii_case(name)).copied();
    found.ok_or_else(|| {
        let all = known().collect::<Vec<_>>().join(", ");
        let near = hint(name, known(), &format!("known: {all}"));
        usage(format!(
            "`{option}`: expected a task type, found: {name}{near}; `mteb-host new task-type` creates \
                       one of your own"
        ))
    })
}

/// Checks languages as those of cards are.
///
/// # Errors
/// If one is none, which is said.
pub fn check_languages(languages: &[String]) -> Result<(), Exit> {
    match languages.iter().find_map(|language| language_fault(language)) {
        Some(fault) => Err(usage(format!("`--language`: {fault}"))),
        None if languages.is_empty() => Err(usage("expected a language such as `ind-Latn`, found none")),
        None => Ok(()),
    }
}

/// What is said of a file, with an option in the place of the line of a card that is not written yet.
fn name_options(why: &str) -> String {
    why.replace(
        "name the character in the card: `delimiter = \";\"` in `[dataset]`",
        "name the character: `--delimiter \";\"`",
    )
}

/// One character; a tab may be written as in cards.
fn mark(text: &str) -> Result<char, ValueError> {
    let mut letters = text.chars();
    match (text, letters.next(), letters.next()) {
        ("\\t" | "tab", ..) => Ok('\t'),
        (_, Some(mark), None) => Ok(mark),
        _ => Err(ValueError::Character),
    }
}

fn column(text: &str) -> Result<(String, String), ValueError> {
    let (column, name) = text
        .split_once('=')
        .filter(|(column, name)| !column.is_empty() && !name.is_empty())
        .ok_or(ValueError::Column)?;
    Ok((column.to_owned(), name.to_owned()))
}

/// `path` as it is called from `folder`; both are absolute.
fn relative(path: &Path, folder: &Path) -> String {
    let shared = path.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let down = path.components().skip(shared);
    up.chain(down).collect::<PathBuf>().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_called_from_the_folder_of_the_card() {
        let of = |path: &str, folder: &str| relative(Path::new(path), Path::new(folder));
        assert_eq!(of("/a/b/rows.csv", "/a/b"), "rows.csv");
        assert_eq!(of("/a/data/rows.csv", "/a/b/cards"), "../../data/rows.csv");
    }
}
