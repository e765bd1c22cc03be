//! Rules of exceptions that have no page: what each is, in a sentence. What to do about them stands in `tracer-core`'s table of
//! kinds.

/// The rule of a text that Python cannot parse.
pub const SYNTAX: (&str, &str) = ("syntax", "Python cannot parse the text.");
/// The rule of exceptions of no kind.
pub const EXCEPTION: (&str, &str) =
    ("exception", "The program raises an exception of no kind that has a rule of its own.");
/// The rule of what is said of a function in a comment, or in an annotation of jaxtyping: real JAX reads neither, so there is no program to run.
pub const SIGNATURE: (&str, &str) = (
    "signature",
    "A `# jitlens:` comment cannot be read, or a function returns something else than its annotation says.",
);

/// What the kinds are that have no page.
const SUMMARIES: &[(&str, &str)] = &[];

/// What a kind of exception is.
pub fn summary(rule: &str) -> &'static str {
    SUMMARIES.iter().find(|(name, _)| *name == rule).map_or("Tracing raises an exception.", |(_, summary)| summary)
}
