//! Messages that a name or value from data makes too long to be read.

/// Characters of the longest message.
const MOST: usize = 4000;
/// Characters of its end that are kept: what to do stands there.
const END: usize = 600;

/// `message`, of which the middle is left out if it is too long.
pub fn shorten(message: String) -> String {
    if message.len() <= MOST {
        return message;
    }
    let count = message.chars().count();
    if count <= MOST {
        return message;
    }
    let place = |character: usize| message.char_indices().nth(character).map_or(message.len(), |(at, _)| at);
    let (head, tail) = (&message[..place(MOST - END)], &message[place(count - END)..]);
    format!("{head} […{} characters are left out…] {tail}", count - MOST)
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn the_middle_of_a_long_message_is_left_out() {
        let long = format!("expected {}, found {}; remove it", "é".repeat(10_000), "b".repeat(10_000));
        let short = shorten(long.clone());
        assert!(short.starts_with("expected éé") && short.ends_with("b; remove it"), "{short}");
        assert!(short.contains(" […16028 characters are left out…] "), "{short}");
        assert_eq!(shorten("é".repeat(4000)), "é".repeat(4000));
    }
}
