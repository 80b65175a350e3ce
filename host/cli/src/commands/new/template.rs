//! Templates: `{{name}}` in a file stands for a value.

/// `template` with each `{{name}}` replaced by the value of that name.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    // One pass, so that nothing in a value is taken for a name.
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        let found = behind.split_once("}}").and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        match found {
            Some((value, after)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push_str("{{");
                rest = behind;
            }
        }
    }
    text + rest
}

/// `code` of a plugin of the project with its own names in the place of those of the template.
pub fn rename(code: &str, names: &[(&str, &str)]) -> String {
    names.iter().fold(code.to_owned(), |code, (old, new)| code.replace(old, new))
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_stand_where_their_names_stood_and_nothing_else_changes() {
        let text = fill("{{a}} and ${{ github }} {{b}}", &[("a", "{{b}}"), ("b", "2")]);
        assert_eq!(text, "{{b}} and ${{ github }} 2");
    }
}
