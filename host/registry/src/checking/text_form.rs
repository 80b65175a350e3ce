//! How the text files of a dataset are written, as its card says.

use mteb_card::Dataset;
use mteb_data::TextForm;

/// How the text files of a dataset are written, where its card says so.
pub fn text_form(dataset: &Dataset) -> Option<TextForm> {
    let Dataset { delimiter, decimal, encoding, .. } = dataset;
    let form = TextForm { delimiter: *delimiter, decimal: *decimal, encoding: encoding.clone() };
    (form != TextForm::default()).then_some(form)
}

/// Calls `add` with the path and the message of each fault.
pub(super) fn check_text_form(dataset: &Dataset, add: &mut dyn FnMut(&[&str], String)) {
    let form = text_form(dataset).unwrap_or_default();
    for (field, message) in form.faults() {
        add(&["dataset", field], message);
    }
    if let Some(plugin) = &dataset.plugin {
        let fields = [
            ("delimiter", form.delimiter.is_some()),
            ("decimal", form.decimal.is_some()),
            ("encoding", form.encoding.is_some()),
            ("multiline_cells", dataset.multiline_cells),
        ];
        for (field, _) in fields.into_iter().filter(|(_, is_set)| *is_set) {
            let message = format!("rows of the task pack `{plugin}` are not a text file: remove it");
            add(&["dataset", field], message);
        }
    }
}
