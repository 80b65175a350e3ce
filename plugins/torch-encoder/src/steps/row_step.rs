//! What the reference's loader does to rows behind the model's own modules: steps without weights.

use mteb_plugin_api::{Loading, RowStep};

use super::normalize::Normalize;
use super::step::{State, Step};
use crate::error::TorchError;
use crate::packed::Packed;

/// The steps that `loading` says, behind rows of `width` numbers.
pub fn row_steps(loading: &Loading, width: i64) -> Vec<Box<dyn Step>> {
    let kept = loading.dimension.map_or(width, i64::from).min(width);
    let begin = (kept < width).then(|| Box::new(Beginning { width: kept }) as Box<dyn Step>);
    let others = loading.row_steps.iter().map(|step| match step {
        RowStep::LayerNorm => Box::new(PlainNorm { width: kept }) as Box<dyn Step>,
        RowStep::Normalize => Box::new(Normalize { width: kept }),
    });
    begin.into_iter().chain(others).collect()
}

/// Keeps the first numbers of a row.
struct Beginning {
    width: i64,
}

impl Step for Beginning {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        Ok(State { rows: state.rows.f_narrow(-1, 0, self.width)?, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}

/// Layer normalisation without weights.
struct PlainNorm {
    width: i64,
}

impl Step for PlainNorm {
    fn apply(&self, _: &Packed, state: State) -> Result<State, TorchError> {
        let rows =
            state.rows.f_layer_norm([self.width].as_slice(), None::<&tch::Tensor>, None, 1e-5, false)?;
        Ok(State { rows, ..state })
    }

    fn width(&self) -> i64 {
        self.width
    }
}
