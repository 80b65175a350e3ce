//! Reads result files of before mteb 1.11 in today's form.

use mteb_json::{check_once, read_past_tokens};
use serde_json::Value;

use super::age::is_historic;
use super::historic::convert_historic;
use crate::ResultFile;
use crate::fault::ResultFault;

/// The result file of before mteb 1.11 that `text` is, in today's form but for its main scores, which the card of its task names; `None`
/// if it is no such file.
pub fn read_old_form(text: &str, stem: &str) -> Option<Result<ResultFile, ResultFault>> {
    let read = |text: &str| serde_json::from_str::<Value>(text);
    let value = read_past_tokens(text, read).ok()?;
    if !is_historic(&value) || value.get("mteb_dataset_name").is_none() {
        return None;
    }
    Some(match read_past_tokens(text, check_once) {
        Ok(()) => convert_historic(value, stem),
        Err(error) => Err(ResultFault::KeyTwice(error)),
    })
}
