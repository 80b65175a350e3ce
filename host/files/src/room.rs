//! Memory for what others say the size of.

use std::io::{self, ErrorKind};

/// Checks that there is room for `count` of `T`, before it is taken: a program ends where memory that it takes is refused.
///
/// # Errors
/// [`ErrorKind::OutOfMemory`] with the number of bytes, if the system refuses them.
pub fn check_room<T>(count: usize) -> io::Result<()> {
    Vec::<T>::new().try_reserve_exact(count).map_err(|_| {
        let bytes = count as u128 * size_of::<T>() as u128;
        io::Error::new(
            ErrorKind::OutOfMemory,
            format!("the system refuses the {bytes} bytes of memory that it asks for"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused_before_it_is_taken() {
        check_room::<f32>(1 << 10).unwrap();
        for count in [usize::MAX, 1 << 46] {
            let error = check_room::<f32>(count).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::OutOfMemory);
            assert!(error.to_string().contains(&format!("{} bytes", count as u128 * 4)), "{error}");
        }
    }
}
