//! Objects in a bucket of S3, or of a server that speaks as S3 does.

mod bucket;
mod connector;
mod error;
mod place;

pub use bucket::{Bucket, Stored, Unless};
pub use connector::{OnSilence, Silence};
pub use error::{BucketError, Doing, PlaceError};
pub use place::Place;
