//! `dateModified` in JSON-LD.

use serde_json::Value;

/// Returns the page's date in a JSON-LD script. The outermost object with a date wins, in `@graph` and lists too. Comments and
/// other parts of the page are ignored. Scripts that are not JSON have none.
pub(crate) fn date_modified(bytes: &[u8]) -> Option<String> {
    // Most scripts have no date, so parsing them would be wasted work.
    let key = b"dateModified";
    if !bytes.windows(key.len()).any(|found| found == key) {
        return None;
    }
    let parsed = serde_json::from_slice(bytes).ok().or_else(|| {
        // Some generators leave comments or CDATA around an object.
        let start = bytes.iter().position(|b| *b == b'{')?;
        let end = bytes.iter().rposition(|b| *b == b'}')?;
        serde_json::from_slice(bytes.get(start..=end)?).ok()
    });
    let value: Value = parsed?;
    find(&value)
}

fn find(value: &Value) -> Option<String> {
    match value {
        Value::Array(values) => values.iter().find_map(find),
        Value::Object(object) => match object.get("dateModified") {
            Some(Value::String(date)) => Some(date.clone()),
            _ => ["@graph", "mainEntity", "mainEntityOfPage"]
                .iter()
                .find_map(|key| find(object.get(*key)?)),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::date_modified;

    #[test]
    fn of_the_page_and_not_of_its_parts() {
        for (json, date) in [
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
            assert_eq!(date_modified(json.as_bytes()).as_deref(), date, "{json}");
        }
        let deep = format!("{}\"dateModified\"{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(date_modified(deep.as_bytes()), None);
    }
}
