//! Two measures over rankings: rank-biased precision, and expected reciprocal rank.

use std::collections::BTreeMap;

use mteb_plugin_api::v1::measure::{
    JudgedQuery, MEASURES, Measure, MeasureDeclaration, Measures, ParameterDeclaration,
};
use mteb_plugin_api::v1::{PluginError, Task, TaskPack};
use mteb_plugin_api::{Manifest, export_task_pack};

/// Rank-biased precision (Moffat and Zobel 2008): what a reader gains who goes on to the next document with the probability p.
struct RankBiasedPrecision;

impl Measure for RankBiasedPrecision {
    fn declaration(&self) -> MeasureDeclaration {
        MeasureDeclaration {
            about: "(1 - p) times the sum of p to the power of (rank - 1) over the relevant documents found."
                .to_owned(),
            parameters: parameter("p", ParameterDeclaration { default: 0.8, low: 0.0, high: 1.0 }),
            ..MeasureDeclaration::default()
        }
    }

    fn value(&self, query: &JudgedQuery<'_>) -> f64 {
        let p = query.parameter("p");
        let reaches = (0..query.found.len()).map(|rank| p.powi(rank as i32));
        let gains = query.found.iter().zip(reaches).filter(|(grade, _)| query.is_relevant(**grade));
        (1.0 - p) * gains.map(|(_, reach)| reach).sum::<f64>()
    }
}

/// Expected reciprocal rank (Chapelle et al. 2009): of the rank at which a reader has found enough.
struct ExpectedReciprocalRank;

impl Measure for ExpectedReciprocalRank {
    fn declaration(&self) -> MeasureDeclaration {
        MeasureDeclaration {
            about: "The expected 1 / rank at which a reader stops, who stops with (2^grade - 1) / 2^max."
                .to_owned(),
            at_cuts: true,
            parameters: parameter("max", ParameterDeclaration { default: 4.0, low: 1.0, high: 20.0 }),
            ..MeasureDeclaration::default()
        }
    }

    fn value(&self, query: &JudgedQuery<'_>) -> f64 {
        let max = query.parameter("max");
        let (mut expected, mut goes_on) = (0.0, 1.0);
        for (grade, rank) in query.found.iter().zip(1..) {
            // A document that nobody judged has no grade, and stops nobody.
            let stops = if *grade > 0.0 { (grade.min(max).exp2() - 1.0) / max.exp2() } else { 0.0 };
            expected += goes_on * stops / f64::from(rank);
            goes_on *= 1.0 - stops;
        }
        expected
    }
}

fn parameter(name: &str, declaration: ParameterDeclaration) -> BTreeMap<String, ParameterDeclaration> {
    BTreeMap::from([(name.to_owned(), declaration)])
}

struct Pack;

impl TaskPack for Pack {
    fn task(&self, name: &str) -> Result<Box<dyn Task>, PluginError> {
        match name {
            MEASURES => Ok(Box::new(Measures(vec![
                ("rbp", Box::new(RankBiasedPrecision)),
                ("err", Box::new(ExpectedReciprocalRank)),
            ]))),
            _ => Err(PluginError::not_found(format!("this pack has no task `{name}`"))),
        }
    }
}

export_task_pack! {
    manifest: Manifest {
        features: vec![MEASURES.to_owned()],
        licence: "Apache-2.0".to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        ..Manifest::task_pack("rank-measures", env!("CARGO_PKG_VERSION"), &[])
    },
    pack: Pack,
}
