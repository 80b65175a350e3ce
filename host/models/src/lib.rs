//! Chooses and starts the model of a run, and brings texts to embeddings.
//!
//! The model, in [`model`]: `choice.rs` has what the user chose, completed by the model's card, and
//! starts it; `naming.rs` says what it is called, `model_settings.rs` what is known of it beside
//! its files, and `options.rs` what its plugin hears. `local.rs`, `remote.rs` and `python.rs` are
//! the places where it may be; `workers.rs` says how many workers it has, and `loaded.rs` is what
//! comes of it.
//!
//! A batch of texts, in [`encode`]. Read it in this order:
//!
//! 1. `session.rs`: an evaluator asks for the embeddings of a unit's texts; `prompt.rs` says what
//!    goes before them, and `ahead.rs` has encoded most texts before they are asked for.
//! 2. `encoder.rs`: the running model, its cache and its counters.
//! 3. `batch_flow.rs`: distinct texts, batches of similar length, and rows of one width that go to
//!    their places; `ragged.rs` does the same for sparse rows and several vectors per text.
//! 4. `pool/mod.rs`, `pool/queue.rs`, `pool/member.rs`, `pool/delivery.rs`: the workers take the
//!    batches, encode them, and their answers come back in the order of the plan.
//! 5. `compression.rs`: what is made of the rows before the evaluator sees them.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod encode;
pub mod model;
