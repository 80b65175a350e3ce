//! `figure`: what it draws from data and from measurements, as SVG and numbers.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};

/// A registry `mine.toml` with two tasks of pairs.
fn registry(root: &Path) {
    for (name, word) in [("One", "kucing"), ("Two", "saham")] {
        let folder = root.join("cards").join(name);
        fs::create_dir_all(&folder).unwrap();
        write_pair_card(&folder, name, &["ind"]).unwrap();
        let text = format!("{word} tidur");
        write_pairs(&folder, "ind", [("a b", "b c", 1.0), (text.as_str(), word, 3.0), ("b c", "b", 2.0)])
            .unwrap();
    }
    let cards = "schema = 1\nname = \"mine\"\ncards = [\"cards/One\", \"cards/Two\"]\n";
    fs::write(root.join("mine.toml"), cards).unwrap();
}

fn run(root: &Path, args: &[&str]) -> Run {
    Run::of(host(root).args(args).args(["--registry", "mine.toml"])).unwrap()
}

/// True where a part of a picture has dark pixels; its bounds are those of the SVG.
type IsDark = Box<dyn Fn([u32; 2], [u32; 2]) -> bool>;

/// Looks at a figure: the PNG is twice the SVG. Tells where it is dark.
fn look_at_figure(root: &Path, name: &str) -> IsDark {
    let file = |ending: &str| root.join("figures").join(format!("{name}.{ending}"));
    let svg = fs::read_to_string(file("svg")).unwrap();
    assert!(svg.starts_with("<svg"), "{name}");
    let bounds = svg.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let sizes: Vec<u32> = bounds.split(' ').map(|size| size.parse().unwrap()).collect();
    let mut png =
        png::Decoder::new(std::io::BufReader::new(fs::File::open(file("png")).unwrap())).read_info().unwrap();
    let (width, height) = (png.info().width, png.info().height);
    assert_eq!((width, height), (2 * sizes[0], 2 * sizes[1]), "{name}");
    let mut bytes = vec![0; png.output_buffer_size().unwrap()];
    let frame = png.next_frame(&mut bytes).unwrap();
    let step = frame.line_size / width as usize;
    Box::new(move |from, to| {
        let mut rows = 2 * from[1]..2 * to[1];
        rows.any(|row| {
            let start = frame.line_size * row as usize;
            (2 * from[0]..2 * to[0]).any(|column| bytes[start + step * column as usize] < 100)
        })
    })
}

#[test]
fn the_texts_of_a_task_are_a_map_with_a_colour_for_each_label() {
    let root = tempfile::tempdir().unwrap();
    let map = |more: &[&str]| {
        let task = [
            "figure",
            "map",
            "--registry",
            "indonesia",
            "--task",
            "IndonesianNewsTopic",
            "--model",
            "hashing",
        ];
        Run::of(host(root.path()).args(task).args(["--texts", "90"]).args(more)).unwrap()
    };
    for method in ["pca", "tsne"] {
        let figure = map(&["--method", method]);
        assert_eq!(figure.code, Some(0), "{}", figure.stderr);
        assert_eq!(figure.stdout, "figures/map.svg\nfigures/map.png\nfigures/map.csv\n");
        let numbers = fs::read_to_string(root.path().join("figures/map.csv")).unwrap();
        assert_eq!((numbers.lines().next(), numbers.lines().count()), (Some("Label,x,y,Text"), 91));
        // A name in the key, and the plot.
        let is_dark = look_at_figure(root.path(), "map");
        assert!(is_dark([760, 30], [900, 60]) && !is_dark([760, 700], [960, 760]), "{method}");
    }
    fs::remove_dir_all(root.path().join("figures")).unwrap();
    let two = Run::of(host(root.path()).args([
        "figure",
        "map",
        "--registry",
        "indonesia",
        "--task-type",
        "STS",
        "--model",
        "hashing",
    ]));
    let two = two.unwrap();
    assert_eq!(two.code, Some(2), "{}", two.stdout);
    assert!(two.stderr.starts_with("error: expected one task to draw, found "), "{}", two.stderr);
}

#[test]
fn datasets_are_compared_by_the_mean_embedding_of_their_shortest_texts() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path());
    let figure = run(root.path(), &["figure", "similarity", "--model", "hashing", "--texts", "3"]);
    assert_eq!(figure.code, Some(0), "{}", figure.stderr);
    assert_eq!(figure.stdout, "figures/similarity.svg\nfigures/similarity.png\nfigures/similarity.csv\n");
    let is_dark = look_at_figure(root.path(), "similarity");
    // The title, the names beside the rows, and nothing in the corner where no cell is.
    assert!(is_dark([10, 8], [220, 28]) && is_dark([10, 45], [60, 75]) && is_dark([10, 80], [60, 112]));
    assert!(!is_dark([270, 42], [300, 74]), "the upper triangle is empty");
    // The three shortest texts of both are the same: `b`, `a b`, `b c`.
    let numbers = || fs::read_to_string(root.path().join("figures/similarity.csv")).unwrap();
    let same: Vec<f64> =
        numbers().lines().nth(2).unwrap().split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
    assert!((same[0] - 1.0).abs() < 1e-9, "{same:?}");
    run(root.path(), &["figure", "similarity", "--model", "hashing", "--texts", "1", "--pick", "longest"]);
    let other: Vec<f64> =
        numbers().lines().nth(2).unwrap().split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
    assert!(other[0] < 0.9, "{other:?}");
    let none = Run::of(host(root.path()).args(["figure", "similarity", "--model", "hashing"])).unwrap();
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr.contains("expected tasks whose data to read; select them with `--task`"),
        "{}",
        none.stderr
    );
    let nobody = run(root.path(), &["figure", "similarity"]);
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.stderr.contains("expected one model to encode the texts"), "{}", nobody.stderr);
}

#[test]
fn speed_is_drawn_from_what_was_measured_and_scored() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path());
    for model in ["hashing", "random"] {
        assert_eq!(run(root.path(), &["run", "--quiet", "--model", model]).code, Some(0));
    }
    let measured = run(
        root.path(),
        &["efficiency", "hashing", "random", "--task", "One", "--repeat", "1", "--singles", "1", "--json"],
    );
    assert_eq!(measured.code, Some(0), "{}", measured.stderr);
    fs::write(root.path().join("speed.json"), &measured.stdout).unwrap();
    let figure = run(root.path(), &["figure", "speed", "--measured", "speed.json"]);
    assert_eq!(figure.code, Some(0), "{}", figure.stderr);
    let is_dark = look_at_figure(root.path(), "speed");
    assert!(
        is_dark([200, 5], [700, 30]) && is_dark([300, 535], [500, 560]),
        "the title and the name of an axis"
    );
    let numbers = fs::read_to_string(root.path().join("figures/speed.csv")).unwrap();
    assert!(
        numbers.starts_with("Model,Architecture,Texts a second,Kilobytes an embedding,Mean (Task)\n"),
        "{numbers}"
    );
    assert!(numbers.contains("mteb/baseline-random-encoder,unknown,"), "{numbers}");
    assert_eq!(numbers.lines().count(), 3, "{numbers}");
    // The scores are of one language: there is nothing to compare languages by.
    let empty = run(root.path(), &["figure", "languages"]);
    assert_eq!(empty.code, Some(1), "{}", empty.stdout);
    assert!(empty.stderr.contains("expected scores to draw the figure from"), "{}", empty.stderr);
    assert!(!root.path().join("figures/languages.svg").exists());
    let nothing = run(root.path(), &["figure", "speed"]);
    assert_eq!(nothing.code, Some(2));
    fs::write(root.path().join("other.json"), "{\"models\": [{}]}").unwrap();
    let other = run(root.path(), &["figure", "speed", "--measured", "other.json"]);
    assert_eq!(other.code, Some(2));
    assert!(
        other.stderr.contains("other.json: expected the output of `efficiency --json`"),
        "{}",
        other.stderr
    );
}

#[test]
fn a_figure_says_what_a_leaderboard_warns_about() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path());
    for model in ["hashing", "random"] {
        assert_eq!(run(root.path(), &["run", "--quiet", "--model", model]).code, Some(0));
    }
    assert_eq!(run(root.path(), &["figure", "table1"]).stderr, "");
    write_pairs(&root.path().join("cards/One"), "ind", [("a b", "b c", 1.0), ("b c", "b", 2.0)]).unwrap();
    let warned = run(root.path(), &["leaderboard"]).stderr;
    assert!(warned.contains("not from the current data (data changed: ind/test.jsonl)"), "{warned}");
    for what in ["table1", "table11"] {
        assert_eq!(run(root.path(), &["figure", what]).stderr, warned, "{what}");
    }
    // Two tasks are too few for a correlation: a matrix of nothing is no figure.
    let refused = run(root.path(), &["figure", "models"]);
    assert!(refused.stderr.starts_with(&warned), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("expected two with at least 3 shared scores that vary, found none among 2"),
        "{}",
        refused.stderr
    );
    assert!(!root.path().join("figures/models.svg").exists());
    let shown = run(root.path(), &["show", "results", "mteb-host/hashing"]);
    let marked =
        "warning: mteb-host/hashing, One: marked: not from the current data (data changed: ind/test.jsonl)\n";
    assert_eq!(shown.stderr, marked);
    let table = run(root.path(), &["leaderboard", "--format", "csv"]).stdout;
    assert!(table.lines().next().unwrap().ends_with(",Two,May be of other data"), "{table}");
    assert!(table.lines().skip(1).all(|line| line.ends_with(",One")), "{table}");
    let page = run(root.path(), &["report"]).stdout;
    let page = fs::read_to_string(root.path().join(page.trim())).unwrap();
    assert_eq!(page.matches("\"marks\":[\"One\"]").count(), 2);
}

#[test]
fn the_table_of_data_counts_as_stats_does() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path());
    let table = run(root.path(), &["figure", "table2", "--format", "csv"]);
    assert_eq!(table.code, Some(0), "{}", table.stderr);
    let rows: Vec<&str> = table.stdout.lines().collect();
    assert_eq!(
        rows[0],
        "Name,Type,Categ.,#Lang.,Train samples,Dev samples,Test samples,Train avg. chars,Dev avg. chars,Test avg. chars"
    );
    // a b, b c, kucing tidur, kucing, b c, b: 28 characters in six texts.
    assert_eq!(rows[1], "One,STS,S2S,1,0,0,6,0,0,4.7", "{}", table.stdout);
}

#[test]
fn scifact_has_as_many_texts_as_the_paper_says() {
    let Some(shared) = mteb_host_tests::shared() else { return };
    let root = tempfile::tempdir().unwrap();
    let args = ["figure", "table2", "--task", "SciFact", "--format", "csv", "--hub-dir"];
    let table = Run::of(host(root.path()).args(args).arg(shared.join("hub"))).unwrap();
    assert_eq!(table.code, Some(0), "{}", table.stderr);
    assert!(table.stdout.contains("SciFact,Retrieval,S2P,1,0,0,5483,0,0,1422.3"), "{}", table.stdout);
}

/// Result files of a model that nobody ran.
fn write_results(root: &Path, model: &str, score: f64) {
    let folder = root.join("results").join(model.replace('/', "__")).join("1");
    fs::create_dir_all(&folder).unwrap();
    let meta = format!("{{\"name\": \"{model}\", \"revision\": \"1\"}}");
    fs::write(folder.join("model_meta.json"), meta).unwrap();
    for (number, task) in ["STS12", "STSBenchmark", "SciFact"].iter().enumerate() {
        let entry = format!(
            "{{\"hf_subset\": \"default\", \"languages\": [\"eng-Latn\"], \"main_score\": {}}}",
            score + number as f64 / 100.0
        );
        let file = format!(
            "{{\"task_name\": \"{task}\", \"dataset_revision\": \"r\", \"mteb_version\": \"1.0.0\", \
             \"evaluation_time\": 1.0, \"scores\": {{\"test\": [{entry}]}}}}"
        );
        fs::write(folder.join(format!("{task}.json")), file).unwrap();
    }
}

/// A figure of the results of three tasks.
fn of_results(root: &Path, what: &str) -> Run {
    let tasks = ["--task", "STS12", "--task", "STSBenchmark", "--task", "SciFact"];
    Run::of(host(root).args(["figure", what, "--format", "csv"]).args(tasks)).unwrap()
}

#[test]
fn the_models_of_the_paper_have_their_groups_in_table_1_and_their_line_in_figure_3() {
    let root = tempfile::tempdir().unwrap();
    let sgpt = |size: &str| format!("Muennighoff/SGPT-{size}-weightedmean-msmarco-specb-bitfit");
    for (number, size) in ["125M", "1.3B", "2.7B", "5.8B"].iter().enumerate() {
        write_results(root.path(), &sgpt(size), 0.4 + number as f64 / 20.0);
    }
    write_results(root.path(), "google-bert/bert-base-uncased", 0.3);
    write_results(root.path(), "nobody/knows", 0.2);
    let table = of_results(root.path(), "table1").stdout;
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').take(3).collect()).collect();
    assert_eq!(rows[0], ["Training", "Family", "Model"]);
    assert_eq!(rows[1], ["self-supervised", "bert-uncased", "google-bert/bert-base-uncased"]);
    assert_eq!(rows[2][..2], ["supervised", "sgpt-weightedmean-msmarco-specb-bitfit"]);
    assert_eq!(rows[6], ["not stated", "knows", "nobody/knows"]);
    let figure = of_results(root.path(), "size");
    assert_eq!(figure.code, Some(0), "{}", figure.stderr);
    assert!(
        figure.stderr.contains("the number of parameters is unknown for nobody/knows"),
        "{}",
        figure.stderr
    );
    let numbers = fs::read_to_string(root.path().join("figures/size.csv")).unwrap();
    let of_line = numbers.lines().filter(|line| line.contains("STS") && line.contains(",sgpt-")).count();
    assert_eq!(of_line, 4, "{numbers}");
    assert!(
        numbers.contains(&format!("{},sgpt-weightedmean-msmarco-specb-bitfit,1300000000,", sgpt("1.3B"))),
        "{numbers}"
    );
    // The key names the line.
    let svg = fs::read_to_string(root.path().join("figures/size.svg")).unwrap();
    assert!(svg.contains("sgpt-"), "{svg}");
}

#[test]
fn the_overview_shades_tasks_of_several_languages() {
    let root = tempfile::tempdir().unwrap();
    let args = ["figure", "overview", "--task", "STS12", "--task", "STS17", "--task", "SciFact"];
    let figure = Run::of(host(root.path()).args(args)).unwrap();
    assert_eq!(figure.code, Some(0), "{}", figure.stderr);
    assert_eq!(figure.stdout, "figures/overview.svg\nfigures/overview.png\nfigures/overview.csv\n");
    let numbers = fs::read_to_string(root.path().join("figures/overview.csv")).unwrap();
    assert!(
        numbers.starts_with("Task type,Task,Languages\n") && numbers.contains("STS,STS12,1\n"),
        "{numbers}"
    );
    let svg = fs::read_to_string(root.path().join("figures/overview.svg")).unwrap();
    assert!(svg.contains("several languages") && svg.contains("3 tasks of 2 types"), "{svg}");
}

#[test]
fn the_table_of_data_has_all_splits_and_a_row_for_each_subset_where_asked() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cards/One");
    fs::create_dir_all(&folder).unwrap();
    write_pair_card(&folder, "One", &["ind", "jav"]).unwrap();
    for subset in ["ind", "jav"] {
        write_pairs(&folder, subset, [("a b", "b c", 1.0), ("b c", "b", 2.0)]).unwrap();
    }
    fs::copy(folder.join("data/ind/test.jsonl"), folder.join("data/ind/validation.jsonl")).unwrap();
    fs::write(root.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\"cards/One\"]\n")
        .unwrap();
    let table = |more: &[&str]| {
        let run = run(root.path(), &[&["figure", "table2", "--format", "csv"][..], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(table(&[]), ["One,STS,S2S,1,0,0,8,0,0,2.5"]);
    assert_eq!(table(&["--all-splits"]), ["One,STS,S2S,1,0,4,8,0,2.5,2.5"]);
    let by_subset = table(&["--by-subset", "--all-splits"]);
    assert_eq!(by_subset, ["One (ind),STS,S2S,1,0,4,4,0,2.5,2.5", "One (jav),STS,S2S,1,0,0,4,0,0,2.5"]);
}
