//! Dates in JSON-LD.

use serde_json::Value;

/// Returns the page's date of a property, such as `dateModified`, in a JSON-LD script. The outermost object with a date wins, in `@graph` and lists too. Comments and
/// other parts of the page are ignored. Scripts that are not JSON have none.
pub(crate) fn date(bytes: &[u8], property: &str) -> Option<String> {
    // Most scripts have no date, so parsing them would be wasted work.
    if !bytes
        .windows(property.len())
        .any(|found| found == property.as_bytes())
    {
        return None;
    }
    let parsed = serde_json::from_slice(bytes).ok().or_else(|| {
        // Some generators leave comments or CDATA around an object.
        let start = bytes.iter().position(|b| *b == b'{')?;
        let end = bytes.iter().rposition(|b| *b == b'}')?;
        serde_json::from_slice(bytes.get(start..=end)?).ok()
    });
    let value: Value = parsed?;
    find(&value, property)
}

fn find(value: &Value, property: &str) -> Option<String> {
    match value {
        Value::Array(values) => values.iter().find_map(|value| find(value, property)),
        Value::Object(object) => match object.get(property) {
            Some(Value::String(date)) => Some(date.clone()),
            _ => ["@graph", "mainEntity", "mainEntityOfPage"]
                .iter()
                .find_map(|key| find(object.get(*key)?, property)),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn of_the_page_and_not_of_its_parts() {
        for (json, expected) in [
            (
                r#"{"@type":"Article","dateModified":"2026-05-01"}"#,
                Some("2026-05-01"),
            ),
            (
                r#"[{"@type":"Person"},{"dateModified":"2026-05-02"}]"#,
                Some("2026-05-02"),
            ),
            (
                r#"{"@graph":[{"a":1},{"dateModified":"2026-05-03"}]}"#,
                Some("2026-05-03"),
            ),
            (
                r#"{"mainEntity":{"dateModified":"2026-05-04"}}"#,
                Some("2026-05-04"),
            ),
            (
                "//<![CDATA[\n{\"dateModified\":\"2026-05-05\"}\n//]]>",
                Some("2026-05-05"),
            ),
            (r#"{"comment":[{"dateModified":"2026-05-01"}]}"#, None),
            (r#"{"dateModified":5}"#, None),
            (r#"{"dateModified":"2026-05-01""#, None),
            ("", None),
        ] {
            let modified = |json: &str| date(json.as_bytes(), "dateModified");
            assert_eq!(modified(json).as_deref(), expected, "{json}");
            let other = json.replace("dateModified", "datePublished");
            assert_eq!(modified(&other), None, "{other}");
            let published = date(other.as_bytes(), "datePublished");
            assert_eq!(published.as_deref(), expected, "{other}");
        }
        let deep = format!("{}\"dateModified\"{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(date(deep.as_bytes(), "dateModified"), None);
    }
}
