//! Keeps the first stage from reading so far ahead that memory runs out.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Bytes of text that all stages may hold before the next unit is read.
const LIMIT: usize = 64 << 20;

/// Bytes of text between the first stage and the last.
#[derive(Clone, Debug, Default)]
pub struct Loads(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    bytes: Mutex<usize>,
    less: Condvar,
}

/// Some bytes, which no longer count once this is dropped.
#[derive(Debug)]
pub struct Load {
    bytes: usize,
    all: Arc<Shared>,
}

impl Loads {
    /// Waits until the stages hold less than the limit.
    pub fn wait(&self) {
        let bytes = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.less.wait_while(bytes, |bytes| *bytes > LIMIT));
    }

    /// Counts `bytes` more.
    pub fn add(&self, bytes: usize) -> Load {
        *self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
        Load { bytes, all: Arc::clone(&self.0) }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        *self.all.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.all.less.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_is_too_far_ahead_waits_for_the_stages_after_it() {
        let loads = Loads::default();
        let small = loads.add(LIMIT);
        loads.wait();
        let large = loads.add(1);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                loads.wait();
                sender.send(*loads.0.bytes.lock().unwrap()).unwrap();
            });
            drop(small);
            assert_eq!(receiver.recv(), Ok(1));
        });
        drop(large);
        assert_eq!(*loads.0.bytes.lock().unwrap(), 0);
    }
}
