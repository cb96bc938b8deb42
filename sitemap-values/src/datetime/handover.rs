//! Passing dates through serde to this crate's serializers. serde's data model has no dates, so a date is serialized as its
//! text. Meanwhile, a thread-local has the date and the address of the text, so that this crate's serializers get the date
//! itself and need not parse the text again. Other formats see a string.
//!
//! **Dates pass through serde as dates**. serde's data model has none, so a `W3cDateTime` is serialized as its text. A thread-local
//! stores the date and the address of the text that is being serialized. This crate's serializers look there before they parse. serde
//! passes other date types as text, which is parsed.

use std::cell::Cell;

use super::W3cDateTime;

thread_local! {
    static HANDED: Cell<Option<(Address, W3cDateTime)>> = const { Cell::new(None) };
}

/// Start and length of a text in memory.
type Address = (usize, usize);

fn address(text: &str) -> Address {
    (text.as_ptr().addr(), text.len())
}

/// Makes the date available as [`received`] while `serialize` has its text.
#[inline]
pub(super) fn hand_over<T>(date: W3cDateTime, text: &str, serialize: impl FnOnce(&str) -> T) -> T {
    /// Ends the handover, also after a panic: the address may belong to another text afterwards.
    struct End(Option<(Address, W3cDateTime)>);

    impl Drop for End {
        fn drop(&mut self) {
            let _ = HANDED.try_with(|handed| handed.set(self.0));
        }
    }

    // While the thread ends, its thread-local is gone, and the text is parsed.
    let before = HANDED.try_with(|handed| handed.replace(Some((address(text), date))));
    let _end = End(before.ok().flatten());
    serialize(text)
}

/// The date whose text this is, if the text comes directly from [`hand_over`].
#[inline]
pub(super) fn received(text: &str) -> Option<W3cDateTime> {
    let (handed, date) = HANDED.try_with(Cell::get).ok().flatten()?;
    (handed == address(text)).then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_that_is_handed_over_is_the_date() {
        let date: W3cDateTime = "2026-05-01".parse().unwrap();
        let other: W3cDateTime = "2027".parse().unwrap();
        let text = "2026-05-01".to_owned();
        let copy = text.clone();
        assert_eq!(received(&text), None);
        hand_over(date, &text, |text| {
            assert_eq!(received(text), Some(date));
            assert_eq!(received(&text[..4]), None);
            assert_eq!(received(&copy), None);
            // A date within the serialization of another.
            hand_over(other, "2027", |inner| {
                assert_eq!((received(inner), received(text)), (Some(other), None));
            });
            assert_eq!(received(text), Some(date));
        });
        assert_eq!(received(&text), None);
        let panicked = std::panic::catch_unwind(|| hand_over(date, &text, |_| panic!("while serializing")));
        assert!(panicked.is_err());
        assert_eq!(received(&text), None);
    }
}
