//! What a model card must say that no schema can: its version, the file that it lies in, and what its endpoint can send.

use std::ops::RangeInclusive;
use std::path::Path;

use mteb_base::day::check_day;
use mteb_card::{ApiCard, EncodingFormat, ModelCard};
use mteb_remote::Address;

use crate::{Fault, Locator};

/// Numbers that a row of an endpoint may have.
const DIMENSIONS: RangeInclusive<u32> = 1..=1 << 20;

/// What is wrong with `card`, which lies in `file`.
pub fn check_model_card(card: &ModelCard, locator: &Locator, file: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    if card.schema != 1 {
        faults.push(locator.fault(&["schema"], format!("expected schema 1, found {}", card.schema)));
    }
    let expected = file_of(&card.name);
    if Path::new(file).file_name().is_none_or(|name| name != expected.as_str()) {
        let found = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let message = format!("expected the card of {} in a file `{expected}`, found: {found}", card.name);
        faults.push(locator.fault(&["name"], message));
    }
    if let Some(api) = &card.api {
        faults.extend(check_endpoint(api, locator));
        let dimension = card.dimension.filter(|dimension| !DIMENSIONS.contains(dimension));
        faults.extend(dimension.map(|found| locator.fault(&["dimension"], expected_dimensions(found))));
    }
    let prices = card.api.as_ref().and_then(|api| api.prices.as_ref());
    let days = [
        (&["release_date"][..], card.release_date.as_ref()),
        (&["api", "prices", "date"], prices.map(|prices| &prices.date)),
    ];
    for (place, day) in days.into_iter().filter_map(|(place, day)| Some((place, day?))) {
        let fault = check_day(day).err().map(|error| format!("{error}, found: {day}"));
        faults.extend(fault.map(|message| locator.fault(place, message)));
    }
    let loading = card.loading.clone().unwrap_or_default();
    for (key, number) in [("max_tokens", loading.max_tokens), ("dimension", loading.dimension)] {
        if number == Some(0) {
            faults.push(locator.fault(&["loading", key], "expected a number above 0, found 0".to_owned()));
        }
    }
    faults
}

/// What no endpoint can be asked.
fn check_endpoint(api: &ApiCard, locator: &Locator) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |key: &str, message: String| faults.push(locator.fault(&["api", key], message));
    // A message of it shows no password that stands there.
    if let Some(Err(error)) = api.url.as_deref().map(Address::new) {
        fault("url", error.to_string());
    }
    if api.encoding_format == EncodingFormat::Base64 && !api.style.has_base64() {
        let style = api.style.name();
        fault(
            "encoding_format",
            format!("expected `float`, the only form of the style {style}, found: base64"),
        );
    }
    if let Some(found) = api.dimensions.filter(|dimensions| !DIMENSIONS.contains(dimensions)) {
        fault("dimensions", expected_dimensions(found));
    }
    let price = api.prices.as_ref().map(|prices| prices.million_tokens);
    if let Some(price) = price.filter(|price| !price.is_finite() || *price < 0.0) {
        let message = format!("expected a price of 0 or more, found: {price}");
        faults.push(locator.fault(&["api", "prices", "million_tokens"], message));
    }
    faults
}

fn expected_dimensions(found: u32) -> String {
    format!("expected {} to {} numbers a row, found: {found}", DIMENSIONS.start(), DIMENSIONS.end())
}

/// The name of the file with the card of a model.
pub fn file_of(model: &str) -> String {
    format!("{}.toml", model.replace('/', "__"))
}
