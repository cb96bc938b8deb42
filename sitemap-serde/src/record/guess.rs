//! What an entry is expected to go on with.

use crate::xml::scanner::{ExpectedEnd, ExpectedLeaf, ExpectedStart, Span};

use crate::schema::Name;

/// What was met in the entries so far, and what came after it.
///
/// One entry is mostly like the other, so what followed a tag before is tried first after it. That is only ever about where
/// to look: a step is taken if it is there as it was, in the same scope of namespaces, and means the same wherever it stands.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    scope: u64,
    steps: Vec<Step>,
    /// The step that was taken last; the first stands for the entry's start tag.
    last: usize,
    /// How many candidates for the next were tried, and the one that is to be, or zero.
    tried: usize,
    guess: u8,
    /// The text of the step that is being learned.
    literal: String,
}

#[derive(Debug)]
struct Step {
    /// Its text, its values cut out.
    literal: Box<str>,
    what: What,
    next: Candidates,
}

/// One thing that can come next.
#[derive(Debug)]
pub(super) enum What {
    /// The entry's start tag, which comes before all others.
    Entry,
    Leaf(ExpectedLeaf, Name),
    /// A start tag, its name and those of its attributes.
    Start(ExpectedStart, Name, Box<[Name]>),
    End(ExpectedEnd),
}

/// The steps that came after another, the newest first; zero for none.
pub(super) type Candidates = [u8; 3];

impl Guesses {
    /// The most steps that are kept.
    const MOST: usize = 96;

    pub(super) fn begin(&mut self, scope: u64) {
        self.last = 0;
        if self.scope != scope {
            self.steps.clear();
            self.scope = scope;
        }
    }

    /// Whether what was learned holds in this scope.
    #[inline]
    pub(super) fn hold_in(&self, scope: u64) -> bool {
        self.scope == scope
    }

    /// What is to be tried.
    #[inline]
    pub(super) fn guess(&self) -> &What {
        self.steps
            .get(usize::from(self.guess))
            .map_or(&What::Entry, |step| &step.what)
    }

    /// Takes the step that was tried.
    #[inline]
    pub(super) fn hit(&mut self) {
        self.last = usize::from(self.guess);
        self.start();
    }

    /// Goes on to what else came after the last step.
    #[inline]
    pub(super) fn miss(&mut self) {
        self.tried += 1;
        self.guess = self.candidate();
    }

    /// Begins with what came after the last step most lately.
    #[inline]
    pub(super) fn start(&mut self) {
        self.tried = 0;
        self.guess = self.candidate();
    }

    #[inline]
    fn candidate(&self) -> u8 {
        let step = self.steps.get(self.last);
        let candidate = step.and_then(|step| step.next.get(self.tried));
        candidate.copied().unwrap_or_default()
    }

    /// Learns a leaf that was not expected.
    #[cold]
    pub(super) fn learn_leaf(&mut self, gap: &str, tag: &str, name: Name) {
        self.learn(&[gap, "<", tag, ">\0"], || {
            Some(What::Leaf(ExpectedLeaf::new(gap, tag)?, name))
        });
    }

    /// Learns a start tag that was not expected, whose values are at these places in it.
    #[cold]
    pub(super) fn learn_start(
        &mut self,
        gap: &str,
        tag: &str,
        values: &[Span],
        name: Name,
        attributes: Vec<Name>,
    ) {
        let mut parts = vec![gap];
        let mut from = 0;
        for value in values {
            parts.extend([tag.get(from..value.start).unwrap_or_default(), "\0"]);
            from = value.end;
        }
        parts.push(tag.get(from..).unwrap_or_default());
        self.learn(&parts, || {
            let start = ExpectedStart::new(gap, tag, values)?;
            Some(What::Start(start, name, attributes.into()))
        });
    }

    /// Learns an end tag that was not expected.
    #[cold]
    pub(super) fn learn_end(&mut self, gap: &str, tag: &str) {
        self.learn(&[gap, tag], || Some(What::End(ExpectedEnd::new(gap, tag)?)));
    }

    /// Takes the step whose literal text is `parts`, after making it if it is new, and notes that it came after the last.
    fn learn(&mut self, parts: &[&str], what: impl FnOnce() -> Option<What>) {
        self.literal.clear();
        self.literal.extend(parts.iter().copied());
        let known = self.steps.iter().position(|step| *step.literal == *self.literal);
        let step = match known {
            Some(known) => known,
            None => {
                let Some(what) = what() else { return };
                if self.steps.len() == Self::MOST {
                    self.steps.clear();
                    self.last = 0;
                }
                if self.steps.is_empty() {
                    self.push("\0", What::Entry);
                }
                let literal = std::mem::take(&mut self.literal);
                self.push(&literal, what);
                self.literal = literal;
                self.steps.len() - 1
            }
        };
        let Ok(candidate) = u8::try_from(step) else { return };
        if let Some(last) = self.steps.get_mut(self.last)
            && !last.next.contains(&candidate)
        {
            last.next = [candidate, last.next[0], last.next[1]];
        }
        self.last = step;
    }

    fn push(&mut self, literal: &str, what: What) {
        self.steps.push(Step {
            literal: literal.into(),
            what,
            next: [0; 3],
        });
    }
}

const _: () = assert!(Guesses::MOST <= u8::MAX as usize, "a step fits in a candidate");
