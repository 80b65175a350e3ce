//! A text with places to be filled: `{{name}}`.

/// `template` with what `value` gives in place of each `{{name}}`; what is filled in is not looked at again.
pub fn fill(template: &str, value: &dyn Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("}}") {
            Some((name, rest)) => out += &(value(name) + rest),
            None => out += part,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn what_is_filled_in_is_no_template() {
        let value = |name: &str| if name == "a" { "{{b}}".to_owned() } else { "c".to_owned() };
        assert_eq!(fill("<{{a}}> {{b}}", &value), "<{{b}}> c");
    }
}
