//! Results that another plugin has computed under the name and revision of a model: a file holds
//! those of one of the two.

use std::path::Path;

use mteb_json::Json;
use mteb_results::{ResultFile, units};

/// A line about results in `file`, in the folder of the model `now`, that another plugin has made:
/// a run of either replaces them. `None` if there are none, or nobody knows which plugin made them.
pub fn other_plugin_warning(file: &ResultFile, now: &Json, folder: &Path) -> Option<String> {
    let own = plugin(now)?;
    let mut models = units(file).filter_map(|(split, subset)| file.model(split, subset));
    let other = models.find_map(|model| plugin(model).filter(|found| *found != own))?;
    Some(format!(
        "{}: expected results of the plugin {own}, found results of the plugin {other} for a model of the same name and \
         revision, and a file holds one of the two; `--name ORGANISATION/MODEL` calls a model in Python otherwise, \
         `--output-folder DIR` keeps the results of this run elsewhere",
        folder.display()
    ))
}

fn plugin(model: &Json) -> Option<&str> {
    model.get("plugin").and_then(Json::as_text)
}
