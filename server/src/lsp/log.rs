//! What the server tells of itself on stderr: warnings and failures, or as much as `JITLENS_LOG` asks for (`info`,
//! `jitlens=debug`, `tower_lsp_server=trace`, several with commas between them).

use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Begins to tell. A setting that cannot be read counts as none.
pub fn begin() {
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false);
    let filter = filter(std::env::var("JITLENS_LOG").ok().as_deref());
    // Where something in the process tells already, that stays.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
}

fn filter(setting: Option<&str>) -> Targets {
    let asked = setting.filter(|text| !text.trim().is_empty()).and_then(|text| text.parse().ok());
    asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn as_much_is_told_as_is_asked_for() {
        let told = |setting, level| filter(setting).would_enable("jitlens::lsp", &level);
        assert!(told(None, Level::WARN) && !told(None, Level::INFO));
        assert!(told(Some("jitlens=debug"), Level::DEBUG) && !told(Some("jitlens=debug"), Level::TRACE));
        assert!(told(Some("info"), Level::INFO) && !told(Some("info"), Level::DEBUG));
        assert!(told(Some("=/="), Level::WARN) && !told(Some(""), Level::INFO));
    }
}
