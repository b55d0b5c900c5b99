//! What is wrong with a text, with its place, the line itself and a mark under the word.

use slabscope_core::script::ScriptError;

/// `name:line:column: message`, the line, and a mark under the word at fault.
pub(crate) fn pointed(name: &str, text: &str, error: &ScriptError, message: &str) -> String {
    format!("{name}:{}:{}: {message}{}", error.line, error.column, marked(text, error))
}

/// The line with the mark under the word, each on a line of its own; nothing where the line cannot be shown so.
pub(crate) fn marked(text: &str, error: &ScriptError) -> String {
    const SHOWN: usize = 100;
    let Some(line) = text.lines().nth(error.line as usize - 1) else { return String::new() };
    let line: String =
        line.trim_start_matches('\u{feff}').chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let before = error.column as usize - 1;
    if line.trim().is_empty() || before > SHOWN || line.chars().count() > SHOWN {
        return String::new();
    }
    let marks = error.word.chars().count().max(1);
    format!("\n  {line}\n  {}{}", " ".repeat(before), "^".repeat(marks))
}
