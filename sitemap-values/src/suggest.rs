//! "Did you mean …?": suggestions for misspelt words.

/// ``; did you mean `weekly`?``, or nothing if no candidate is near.
pub fn did_you_mean<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(found, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The most similar candidate.
///
/// Case, `_` and `-` are ignored, a swap of two neighbours is one mistake, and one mistake in three characters is allowed.
pub fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(found, &mut candidates.into_iter())
}

/// Not generic, since it is for messages and there are many kinds of candidates.
fn nearest_of<'a>(found: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = fold(found);
    let allowed = (found.len() / 3).clamp(1, 3);
    candidates
        .map(|candidate| (fold(candidate), candidate))
        // A character has at most four bytes: where more differ the texts are not near, and comparing long ones is slow.
        .filter(|(folded, _)| folded.len().abs_diff(found.len()) <= 4 * allowed)
        .map(|(folded, candidate)| (distance(&found, &folded), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

fn fold(word: &str) -> String {
    word.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The number of characters to insert, remove, replace or swap with their neighbour to turn one text into the other (the
/// optimal string alignment distance).
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut cost = (last[j] + usize::from(a[i] != b[j]))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before_last[j - 1] + 1);
            }
            row.push(cost);
        }
        before_last = last;
        last = row;
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 7] = [
        "always", "hourly", "daily", "weekly", "monthly", "yearly", "never",
    ];

    #[test]
    fn finds_the_nearest() {
        for (found, near) in [
            ("weekley", "weekly"),
            ("Weekly", "weekly"),
            ("wekely", "weekly"),
            ("dayly", "daily"),
            ("montly", "monthly"),
            ("alway", "always"),
            ("nevr", "never"),
        ] {
            assert_eq!(nearest(found, WORDS), Some(near), "{found}");
        }
        assert_eq!(
            nearest("change_freq", ["changefreq", "crate"]),
            Some("changefreq")
        );
        assert_eq!(nearest("slg", ["id", "slug"]), Some("slug"));
    }

    #[test]
    fn suggests_nothing_if_no_word_is_similar() {
        assert_eq!(nearest("fortnightly", WORDS), None);
        assert_eq!(nearest("x", ["y", "id"]), None);
        assert_eq!(nearest("", WORDS), None);
        assert_eq!(nearest("sometimes", WORDS), None);
        assert_eq!(nearest(&"weekly".repeat(100_000), WORDS), None);
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("kitten", "sitting", 3),
            ("flaw", "lawn", 2),
            ("daily", "daily", 0),
            ("daily", "dialy", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
        }
    }
}
