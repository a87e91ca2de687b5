use std::collections::BTreeSet;

use serde::Deserialize;
use toolcrib_counter::AgentScope;
use toolcrib_data::records::{FileProblem, LinkedModel, Narrowing, WorkspaceFile};

use super::link::{Entry, Links, ToolLink};
use super::yaml::{self, Told, place};

/// An agent: instructions, a language model, and the tools it links.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The name, after its file.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// What it is told before each conversation.
    pub instructions: String,
    /// The tools it links, used or not.
    pub links: Vec<ToolLink>,
    /// The language model, if it is not the usual one.
    pub model: Option<String>,
    /// The most model calls of one run.
    pub max_steps: usize,
    /// How much the model may vary.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_output_tokens: Option<u32>,
    /// First messages to offer.
    pub suggestions: Vec<String>,
    /// The data models it keeps to.
    pub narrowing: Narrowing,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrontMatter {
    title: Option<String>,
    #[serde(default)]
    description: String,
    #[serde(default)]
    tools: Vec<Entry>,
    model: Option<String>,
    max_steps: Option<usize>,
    temperature: Option<f64>,
    max_output_tokens: Option<u32>,
    #[serde(default)]
    suggestions: Vec<String>,
    models: Option<BTreeSet<String>>,
    /// In a file that is YAML alone.
    instructions: Option<String>,
}

impl Agent {
    /// Reads an agent from its file, and what is worth a warning. In Markdown it is front matter between two
    /// lines of dashes, then instructions; in YAML the instructions are a key like the others.
    pub(crate) fn read(
        file: &WorkspaceFile,
        linked: Option<&[LinkedModel]>,
    ) -> Result<(Self, Vec<FileProblem>), FileProblem> {
        let problem = |(line, column, message): Told| FileProblem {
            path: file.path.clone(),
            line,
            column,
            message,
        };
        let text = file.text.replace("\r\n", "\n");
        let at = |(word, message): (String, String)| {
            let (line, column) = place(&text, &word);
            problem((line, column, message))
        };
        let (mut front, instructions) = match file.path.ends_with(".md") {
            true => {
                let (front, instructions) = parts(&text).map_err(problem)?;
                let front = yaml::read::<FrontMatter>(front, 1).map_err(problem)?;
                if front.instructions.is_some() {
                    let told = "the instructions stand below the front matter".to_owned();
                    return Err(at(("instructions".to_owned(), told)));
                }
                (front, instructions.to_owned())
            }
            false => {
                let mut front = yaml::read::<FrontMatter>(&text, 0).map_err(problem)?;
                let instructions = front.instructions.take().unwrap_or_default();
                (front, instructions)
            }
        };
        let links = Links::read(std::mem::take(&mut front.tools)).map_err(at)?;
        front.check(&links.links, linked).map_err(at)?;
        let name = name(&file.path).map_err(problem)?;
        let warnings = links.warnings.into_iter().map(at).collect();
        let agent = Self {
            title: front.title.unwrap_or_else(|| name.clone()),
            name,
            description: front.description,
            instructions: instructions.trim().to_owned(),
            links: links.links,
            model: front.model,
            max_steps: front.max_steps.unwrap_or(12),
            temperature: front.temperature,
            max_output_tokens: front.max_output_tokens,
            suggestions: front.suggestions,
            narrowing: Narrowing {
                models: front.models,
                ..Narrowing::default()
            },
        };
        Ok((agent, warnings))
    }

    /// The tools it uses; its allowlist.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        let used = self.links.iter().filter(|link| link.enabled);
        used.map(|link| link.name.as_str())
    }

    /// What the agent lends to its calls.
    #[must_use]
    pub fn scope(&self) -> AgentScope {
        AgentScope {
            name: self.name.clone(),
            tools: self.tools().map(str::to_owned).collect(),
            narrowing: self.narrowing.clone(),
        }
    }
}

/// The front matter and the instructions.
fn parts(text: &str) -> Result<(&str, &str), Told> {
    let told = |message: &str| (1, 1, message.to_owned());
    let body = text
        .strip_prefix("---\n")
        .ok_or_else(|| told("an agent's file begins with a line `---` and its front matter"))?;
    body.split_once("\n---\n")
        .or_else(|| body.strip_suffix("\n---").map(|front| (front, "")))
        .ok_or_else(|| told("the front matter has no closing line `---`"))
}

/// An agent is named after its file.
fn name(path: &str) -> Result<String, Told> {
    let file = path.rsplit('/').next().unwrap_or_default();
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    if is_name(name) {
        return Ok(name.to_owned());
    }
    let message =
        "an agent is named after its file: small letters, digits, - and _, a letter first";
    Err((1, 1, message.to_owned()))
}

impl FrontMatter {
    /// What it says, beyond its shape: the key and what is wrong with it.
    fn check(
        &self,
        links: &[ToolLink],
        linked: Option<&[LinkedModel]>,
    ) -> Result<(), (String, String)> {
        // What is linked can't be told while something is wrong with the data models.
        if let Some(linked) = linked {
            let known = yaml::tools(linked);
            if let Some(link) = links.iter().find(|link| !known.contains(&link.name)) {
                return Err((link.name.clone(), yaml::unknown_tool(&link.name, linked)));
            }
        }
        if self
            .temperature
            .is_some_and(|temperature| !(0.0..=2.0).contains(&temperature))
        {
            return Err((
                "temperature".to_owned(),
                "temperature is between 0 and 2".to_owned(),
            ));
        }
        if self.max_steps == Some(0) {
            return Err(("max_steps".to_owned(), "max_steps is at least 1".to_owned()));
        }
        if self.max_output_tokens == Some(0) {
            return Err((
                "max_output_tokens".to_owned(),
                "max_output_tokens is at least 1".to_owned(),
            ));
        }
        Ok(())
    }
}

fn is_name(name: &str) -> bool {
    let begins = name
        .chars()
        .next()
        .is_some_and(|letter| letter.is_ascii_lowercase());
    begins
        && name.len() <= 64
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_')
}
