//! What the end-to-end tests share: the built host, folders, and the data that may be absent.

mod endpoint;
mod host;
mod lying_hub;
mod made;
mod python_run;
mod results;
mod skipped;
mod terminal;

pub use endpoint::{Asked, Embed, Endpoint, Misdeed};
pub use host::{
    Run, build_outside, faulty_plugin, host, host_binary, interruptible, nested_cargo, outside_arguments,
    plugin_folder, root, trust,
};
pub use lying_hub::{COMMIT, HASH, Lie, LyingHub, MORE_ROWS, ROWS, Stream};
pub use made::{copy_made, write_pair_card, write_pairs};
pub use python_run::{compose_letters_model, prepare_python_run};
pub use results::{Difference, compare_results, without_times};
pub use skipped::{Server, absent, python, shared, skip};
pub use terminal::Terminal;
