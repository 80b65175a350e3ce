//! The tables of start-up and footprint: ratios first.

use crate::measure::Cost;
use xtask::machine::machine;

/// What a piece of work needs of either side, as far as that side can do it.
pub struct Row {
    pub work: String,
    pub ours: Cost,
    pub theirs: Option<Cost>,
}

/// The size of a file or folder.
pub struct Size {
    pub what: &'static str,
    pub bytes: u64,
}

/// Both tables, with the machine they were made on.
pub fn markdown(rows: &[Row], sizes: &[Size]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| work | times as fast | times less memory | mteb-host, s | mteb, s | mteb-host, MB | mteb, MB |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
        machine()
    );
    for Row { work, ours, theirs } in rows {
        let cells = match theirs {
            Some(theirs) => [
                format!("{:.0}", theirs.seconds / ours.seconds),
                format!("{:.0}", theirs.peak / ours.peak),
                format!("{:.2}", theirs.seconds),
                format!("{:.0}", theirs.peak / 1e6),
            ],
            None => Default::default(),
        };
        let [faster, smaller, seconds, peak] = cells;
        text += &format!(
            "| {work} | {faster} | {smaller} | {:.3} | {seconds} | {:.0} | {peak} |\n",
            ours.seconds,
            ours.peak / 1e6
        );
    }
    text += "\n| size | MB |\n|---|---:|\n";
    for Size { what, bytes } in sizes {
        text += &format!("| {what} | {:.1} |\n", *bytes as f64 / 1e6);
    }
    text
}
