//! Stated dates, and which of them are believed.

use std::collections::{HashMap, HashSet};

use sitemap_serde::Precision;
use sitemap_serde::W3cDateTime;

use crate::facts::{PageFacts, StatedDate};
use crate::finding::{Finding, FindingKind};
use crate::html::{Event, Stated};
use crate::ledger::{LedgerPage, Outcome, StatedThen};

/// Three pages with one time, or three dates that move without their content, give a build away.
const MANY: usize = 3;
/// The year of the first web page. Earlier dates are placeholders: years 1 and 1970 are zeros, and archives begin in 1980.
const FIRST_YEAR: u16 = 1990;

/// The stated dates of one event in a run.
#[derive(Clone, Debug)]
pub(crate) struct StatedDates {
    event: Event,
    /// `true` for each kind of stated date that is believed. A day that all pages state is the build's.
    ways: [bool; 4],
    /// The seconds that at least three pages state.
    shared: HashSet<i64>,
    /// `true` if many pages state the day of this run, as builds do.
    has_builds: bool,
    today: W3cDateTime,
}

/// A way of stating dates.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    pages: usize,
    /// The number of pages with the day of this run.
    today: usize,
    day: Option<W3cDateTime>,
    /// `true` if all state one day.
    is_one: bool,
}

/// The date that a page states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) date: W3cDateTime,
    pub(crate) line: usize,
    /// `true` if it is believed without history.
    pub(crate) is_believed: bool,
}

impl StatedDates {
    /// Reads the dates of listed pages, each with the name of its file. Lists of pages are not among them: they repeat dates.
    pub(crate) fn of<'a>(
        event: Event,
        pages: impl Iterator<Item = (String, &'a PageFacts)>,
        now: W3cDateTime,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut days: HashMap<Stated, Way> = HashMap::new();
        let mut has_builds = false;
        let mut first: HashMap<Stated, (String, usize)> = HashMap::new();
        let mut seconds: HashMap<i64, Noted> = HashMap::new();
        let mut future = Noted::default();
        let today = day(now);
        for (name, facts) in pages {
            for stated in dates(&facts.dates, event) {
                let stated_day = day(stated.date);
                let way = days.entry(stated.by).or_default();
                way.pages += 1;
                way.today += usize::from(stated_day == today);
                let seen = *way.day.get_or_insert(stated_day);
                way.is_one = seen == stated_day && (way.is_one || way.pages == 1);
                first
                    .entry(stated.by)
                    .or_insert_with(|| (name.clone(), stated.line));
                if is_after(stated_day, today) {
                    future.note(&name, stated);
                } else if has_time(stated.date) {
                    let noted = seconds.entry(second(stated.date)).or_default();
                    if noted.last.as_deref() != Some(&name) {
                        noted.note(&name, stated);
                    }
                }
            }
        }
        let noun = event.date();
        findings.extend(
            future.finding(|date| format!("the {noun} {date} is in the future, and is not believed")),
        );
        let mut ways = [true; 4];
        let mut all: HashSet<W3cDateTime> = HashSet::new();
        for (by, way) in days {
            let count = way.pages;
            let message = if way.is_one && count > 1 {
                let shared = way.day.unwrap_or(today);
                all.insert(shared);
                format!(
                    "the {noun} {shared} is that of all {count} pages that state one, and is not believed"
                )
            } else if way.today >= MANY && way.today * 2 > count {
                all.insert(today);
                let of_today = way.today;
                format!(
                    "the {noun} {today}, which is that of this run, is that of {of_today} of the {count} pages that state one, and is not \
                     believed"
                )
            } else {
                continue;
            };
            ways[by as usize] = !way.is_one;
            has_builds |= !way.is_one;
            let (file, line) = first.remove(&by).unwrap_or_default();
            findings.push(Finding::new(file, Some(line), FindingKind::Date, message));
        }
        seconds.retain(|_, noted| noted.pages >= MANY);
        // A date of all pages is already a finding.
        let mut shared: Vec<&Noted> = seconds.values().collect();
        shared.retain(|noted| noted.date.is_some_and(|date| !all.contains(&day(date))));
        shared.sort_unstable_by(|a, b| (usize::MAX - a.pages, &a.file).cmp(&(usize::MAX - b.pages, &b.file)));
        if let Some(noted) = shared.first() {
            findings.extend(noted.finding(|date| {
                format!(
                    "the {noun} {date} is that of {} pages, as a build's is, and is not believed",
                    noted.pages
                )
            }));
        }
        StatedDates {
            event,
            ways,
            shared: seconds.into_keys().collect(),
            has_builds,
            today,
        }
    }

    /// Returns the page's first believed date, or else its first one.
    pub(crate) fn choice(&self, facts: &PageFacts) -> Option<Choice> {
        let choice = |stated: &StatedDate| Choice {
            date: stated.date,
            line: stated.line,
            is_believed: self.is_believed(stated),
        };
        let possible =
            || dates(&facts.dates, self.event).filter(|stated| !is_after(day(stated.date), self.today));
        let believed = possible().find(|stated| self.is_believed(stated));
        believed.or_else(|| possible().next()).map(choice)
    }

    fn is_believed(&self, stated: &StatedDate) -> bool {
        let is_build = self.has_builds && day(stated.date) == self.today;
        self.ways[stated.by as usize] && !is_build && !self.shared.contains(&second(stated.date))
    }
}

/// A date on some pages.
#[derive(Clone, Debug, Default)]
struct Noted {
    file: String,
    line: usize,
    date: Option<W3cDateTime>,
    pages: usize,
    last: Option<String>,
}

impl Noted {
    fn note(&mut self, name: &str, stated: &StatedDate) {
        if self.pages == 0 {
            name.clone_into(&mut self.file);
            (self.line, self.date) = (stated.line, Some(stated.date));
        }
        self.pages += 1;
        self.last = Some(name.to_owned());
    }

    fn finding(&self, message: impl Fn(W3cDateTime) -> String) -> Option<Finding> {
        let message = message(self.date?);
        Some(Finding::new(
            self.file.as_str(),
            Some(self.line),
            FindingKind::Date,
            message,
        ))
    }
}

/// Iterates over a page's dates of an event, without placeholders.
fn dates(dates: &[StatedDate], event: Event) -> impl Iterator<Item = &StatedDate> {
    let is_date = move |stated: &&StatedDate| stated.event == event && stated.date.year() >= FIRST_YEAR;
    dates.iter().filter(is_date)
}

/// Returns the first date of an event, believed or not.
pub(crate) fn first_of(stated: &[StatedDate], event: Event) -> Option<W3cDateTime> {
    dates(stated, event).next().map(|stated| stated.date)
}

/// A page whose date is to be decided.
pub(crate) struct Dating<'a> {
    /// Its page in the ledger.
    pub(crate) before: Option<&'a LedgerPage>,
    pub(crate) outcome: Outcome,
    pub(crate) choice: Option<Choice>,
}

/// A page's date, and the problem of the stated one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) since: Option<W3cDateTime>,
    pub(crate) stated: Option<StatedThen>,
    pub(crate) problem: Option<StatedProblem>,
}

/// The reason why a stated date is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatedProblem {
    /// The content moved, but the date did not.
    Stale,
    /// The date moved, but the content did not.
    MovedAlone,
}

impl Dating<'_> {
    fn stated_before(&self) -> Option<StatedThen> {
        self.before?.stated
    }

    /// Returns `true` if the stated date moved past the page's date, while the content stayed the same.
    pub(crate) fn has_moved_alone(&self) -> bool {
        let since = self.before.and_then(|page| page.since);
        match (self.choice, self.stated_before(), self.outcome) {
            (Some(choice), Some(then), Outcome::Same | Outcome::Template | Outcome::Blank) => {
                choice.date != then.date && since.is_none_or(|since| is_later(choice.date, since))
            }
            _ => false,
        }
    }

    /// Decides the date. In the first run (`is_first`) it may be unknown. With `is_build`, a date that moves without its content is not
    /// believed.
    pub(crate) fn decide(&self, now: W3cDateTime, is_build: bool, is_first: bool) -> Decision {
        let known = self.before.and_then(|page| page.since);
        let then = self.stated_before();
        let Some(choice) = self.choice else {
            return Decision {
                since: match self.outcome {
                    Outcome::New if is_first => None,
                    Outcome::New | Outcome::Moved => Some(now),
                    Outcome::Same | Outcome::Template | Outcome::Blank => known,
                },
                ..Decision::default()
            };
        };
        let mut is_doubted = then.is_some_and(|then| then.is_doubted);
        let mut problem = None;
        let stated = Some(choice.date);
        let since = match self.outcome {
            Outcome::New if choice.is_believed => stated,
            Outcome::New if is_first => None,
            Outcome::New => Some(now),
            Outcome::Moved if then.is_some_and(|then| then.date == choice.date) => {
                problem = Some(StatedProblem::Stale);
                Some(now)
            }
            Outcome::Moved => {
                let is_believed = choice.is_believed && !is_doubted;
                let is_later = known.is_none_or(|known| !is_later(known, choice.date));
                if is_believed && is_later {
                    stated
                } else {
                    Some(now)
                }
            }
            Outcome::Same | Outcome::Template | Outcome::Blank => match then {
                // The page states a date for the first time.
                None => known.or(stated.filter(|_| choice.is_believed)),
                Some(then) if then.date == choice.date => known,
                Some(_) if self.has_moved_alone() => {
                    let is_believed = choice.is_believed && !is_build && !is_doubted;
                    is_doubted = true;
                    if !is_believed {
                        problem = Some(StatedProblem::MovedAlone);
                    }
                    if is_believed { stated } else { known }
                }
                // The date was corrected.
                Some(then) if known == Some(then.date) && choice.is_believed && !is_doubted => stated,
                Some(_) => known,
            },
        };
        let date = choice.date;
        Decision {
            since,
            stated: Some(StatedThen { date, is_doubted }),
            problem,
        }
    }
}

/// The stated dates that a run does not believe. Each kind becomes one finding.
#[derive(Debug, Default)]
pub(crate) struct StatedProblems {
    stale: Option<(String, Choice, usize)>,
    moved_alone: Option<(String, Choice, usize)>,
}

impl StatedProblems {
    pub(crate) fn note(&mut self, problem: StatedProblem, name: impl Fn() -> String, choice: Choice) {
        let noted = match problem {
            StatedProblem::Stale => &mut self.stale,
            StatedProblem::MovedAlone => &mut self.moved_alone,
        };
        noted.get_or_insert_with(|| (name(), choice, 0)).2 += 1;
    }

    pub(crate) fn findings(self) -> impl Iterator<Item = Finding> {
        let others = |pages: usize| match pages {
            2 => "and so is that of another page".to_owned(),
            _ => format!("and so are those of {} other pages", pages - 1),
        };
        let stale = self.stale.map(|(file, choice, pages)| {
            let date = choice.date;
            let message = match pages {
                1 => format!("the date {date} that it states is older than its text: it is listed with that of this run"),
                _ => format!(
                    "the date {date} that it states is older than its text, {}: they are listed with that of this run",
                    others(pages)
                ),
            };
            Finding::new(file, Some(choice.line), FindingKind::Date, message)
        });
        let moved_alone = self.moved_alone.map(|(file, choice, pages)| {
            let date = choice.date;
            let message = match pages {
                1 => format!(
                    "the date {date} that it states is newer than its text, which is as it was: it keeps its date"
                ),
                _ => format!(
                    "the date {date} that it states is newer than its text, which is as it was, {}: they keep their dates",
                    others(pages)
                ),
            };
            Finding::new(file, Some(choice.line), FindingKind::Date, message)
        });
        stale.into_iter().chain(moved_alone)
    }
}

/// Returns `true` if three dates moved without their content, or two such dates have one time.
pub(crate) fn is_build<'a>(pages: impl Iterator<Item = &'a Dating<'a>>) -> bool {
    let moved = pages.filter(|page| page.has_moved_alone());
    let mut dates: Vec<W3cDateTime> = moved.filter_map(|page| Some(page.choice?.date)).collect();
    dates.sort_unstable_by_key(W3cDateTime::unix_time);
    let have_one_time = |pair: &[W3cDateTime]| has_time(pair[0]) && second(pair[0]) == second(pair[1]);
    dates.len() >= MANY || dates.windows(2).any(have_one_time)
}

/// Returns the second of a date. A checkout writes many files within one, and some generators state fractions.
fn second(date: W3cDateTime) -> i64 {
    date.unix_time().0
}

/// Returns `true` if a date has a time of day. Midnight stands for the day.
fn has_time(date: W3cDateTime) -> bool {
    let parts = [date.hour(), date.minute(), date.second()];
    parts.into_iter().flatten().any(|part| part > 0)
}

/// Returns `true` if a date is later than the other. Compares only days if either date has no time.
fn is_later(date: W3cDateTime, other: W3cDateTime) -> bool {
    let have_times = [date, other].iter().all(|date| date.hour().is_some());
    if have_times {
        date.unix_time() > other.unix_time()
    } else {
        day(date).unix_time() > day(other).unix_time()
    }
}

fn day(date: W3cDateTime) -> W3cDateTime {
    date.truncated_to(Precision::Day)
}

/// Returns `true` if a day is more than one day after another. Years and months count as their first days.
fn is_after(day: W3cDateTime, other: W3cDateTime) -> bool {
    const DAY: i64 = 24 * 60 * 60;
    // Time zones can explain one day.
    day.unix_time().0 > other.unix_time().0 + DAY
}

#[cfg(test)]
mod tests {
    use sitemap_serde::W3cDateTime;

    use super::is_after;

    #[test]
    fn the_next_day_may_be_that_of_a_time_zone() {
        for (day, other, expected) in [
            ("2026-05-01", "2026-04-30", false),
            ("2026-05-02", "2026-04-30", true),
            ("2027-01-01", "2026-12-31", false),
            ("2027-01-02", "2026-12-31", true),
            ("2028-03-01", "2028-02-28", true),
            ("2026-05", "2026-04-30", false),
            ("2027", "2026-12-30", true),
        ] {
            let parse = |text: &str| text.parse::<W3cDateTime>().unwrap();
            assert_eq!(is_after(parse(day), parse(other)), expected, "{day} {other}");
        }
    }

    #[test]
    fn no_day_of_four_years_is_far_from_the_next() {
        let days = (2025..2029).flat_map(|year| {
            let date = move |month, day| W3cDateTime::from_ymd(year, month, day).ok();
            (1..=12).flat_map(move |month| (1..=31).filter_map(move |day| date(month, day)))
        });
        let days: Vec<_> = days.collect();
        assert_eq!(days.len(), 4 * 365 + 1);
        for three in days.windows(3) {
            let [first, second, third] = three.try_into().unwrap();
            assert!(!is_after(second, first) && is_after(third, first), "{first}");
            assert!(!is_after(first, second), "{first}");
        }
    }
}
