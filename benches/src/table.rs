//! The one table that comes out.

/// How a number is to compare with the one asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asked {
    AtMost(f64),
    AtLeast(f64),
}

/// What the asked number is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About {
    Measured,
    Ratio,
}

/// One line: what was done, and how it did.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) work: &'static str,
    pub(crate) measured: f64,
    pub(crate) unit: &'static str,
    /// Plain work beside it: what it is, and its number.
    pub(crate) beside: Option<(&'static str, f64)>,
    /// The median of the ratios of each round.
    pub(crate) ratio: Option<f64>,
    pub(crate) about: About,
    /// None where the number is only told.
    pub(crate) asked: Option<Asked>,
}

#[derive(Debug, Default)]
pub(crate) struct Table(Vec<Line>);

impl Table {
    pub(crate) fn add(&mut self, line: Line) {
        progress(line.work);
        self.0.push(line);
    }

    #[expect(clippy::print_stdout, reason = "the table is what this program is for")]
    pub(crate) fn print(&self) {
        println!("| work | measured | compared with | ratio | asked for | reached |");
        println!("| --- | --- | --- | --- | --- | --- |");
        for line in &self.0 {
            println!("{}", line.text());
        }
    }
}

#[expect(clippy::print_stderr, reason = "the work takes a few minutes")]
fn progress(work: &str) {
    eprintln!("measured: {work}");
}

impl Line {
    fn text(&self) -> String {
        let beside = self.beside.map_or_else(
            || "–".to_owned(),
            |(what, value)| format!("{what}: {} {}", number(value), self.unit),
        );
        let ratio = self.ratio.map_or_else(|| "–".to_owned(), number);
        let (unit, value) = match self.about {
            About::Measured => (self.unit, Some(self.measured)),
            About::Ratio => ("×", self.ratio),
        };
        let (asked, reached) = match (self.asked, value) {
            (Some(Asked::AtMost(most)), Some(value)) => {
                (format!("≤ {} {unit}", number(most)), yes(value <= most))
            }
            (Some(Asked::AtLeast(least)), Some(value)) => {
                (format!("≥ {} {unit}", number(least)), yes(value >= least))
            }
            _ => ("–".to_owned(), "–"),
        };
        format!(
            "| {} | {} {} | {beside} | {ratio} | {asked} | {reached} |",
            self.work,
            number(self.measured),
            self.unit
        )
    }
}

fn yes(reached: bool) -> &'static str {
    if reached { "yes" } else { "no" }
}

/// Three digits are what a shared machine can tell.
fn number(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
