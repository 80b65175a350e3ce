//! How many rows there are.

use mteb_tasks::Part;

use super::data::SubsetData;
use super::fault::DataFault;

/// Compares the number of rows of each split or part with what the card declares; every part has at least one.
pub fn check(data: &SubsetData) -> Vec<DataFault> {
    let mut faults = Vec::new();
    for (index, unit) in data.units.iter().enumerate() {
        for (&part, table) in unit.parts.iter().filter(|(part, _)| **part != Part::Train || index == 0) {
            let name = data.part_name(unit, part);
            let declared = data.limits.as_ref().and_then(|limits| limits.records.get(&name)).copied();
            let least = declared.unwrap_or(1);
            if table.rows() < least {
                let message = format!("expected at least {least} rows in {name}, found {}", table.rows());
                let advice = "add rows, or correct `records` in the card's `[quality]`";
                faults.push(data.fault(unit, "records", Vec::new(), message, advice));
            }
        }
    }
    faults
}
