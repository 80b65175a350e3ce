//! A batch that does not fit into memory is asked for in halves.

use mteb_workers::plugins::{ModelClient, WorkerError};

use super::{EncodeError, Encoder};

/// Asks the model for the texts of these numbers.
type Ask<'a, R> = &'a dyn Fn(&mut ModelClient, &[usize]) -> Result<R, WorkerError>;

/// Takes the answer for the texts of these numbers.
type Take<'a, R> = &'a mut dyn FnMut(&[usize], R) -> Result<(), EncodeError>;

impl Encoder {
    /// Asks the model for `members` by `ask`, and gives each answer to `take` with the members that it is for.
    pub(super) fn in_halves<R>(
        &mut self,
        members: &[usize],
        ask: Ask<R>,
        take: Take<R>,
    ) -> Result<(), EncodeError> {
        let may_restart = self.restarts_left > 0;
        match self.with_restart(members.len() > 1, |client| ask(client, members)) {
            Ok(answer) => take(members, answer),
            Err(error) if error.is_memory() && members.len() > 1 && (may_restart || !error.is_death()) => {
                self.batch_tokens = (self.batch_tokens / 2).max(1);
                let (left, right) = members.split_at(members.len() / 2);
                self.in_halves(left, ask, take)?;
                self.in_halves(right, ask, take)
            }
            Err(error) => Err(error.into()),
        }
    }
}
