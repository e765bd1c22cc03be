//! Messages as they come in. The transport ends its service at the first one that it cannot read; here such a message is put aside, and the
//! client hears of it. And it takes no parameters of a leave, where some clients (lsp-mode 8) give an empty object.

use serde::Deserialize;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tower_lsp::jsonrpc::{Error, Request, Response, Result};

/// The method that stands for a message that cannot be read. Its identity is none, as the protocol says of answers to such.
pub const UNREADABLE: &str = "jitlens/unreadable";

/// How much waits to be read by the transport.
const BUFFER: usize = 1 << 16;
/// A line of a header that is longer is none.
const LONGEST_LINE: u64 = 1 << 12;
/// A message that is longer is none.
const LONGEST: usize = 1 << 30;

/// What is wrong with a message.
#[derive(Debug, Deserialize)]
pub struct Unreadable {
    /// Whether it is JSON at all.
    json: bool,
}

/// The answer to a message that cannot be read.
///
/// # Errors
/// Always.
pub fn answer(message: &Unreadable) -> Result<()> {
    Err(if message.json { Error::invalid_request() } else { Error::parse_error() })
}

/// The messages of an input, with those that cannot be read replaced. It has to be called on a runtime.
pub fn readable(input: impl AsyncRead + Send + Unpin + 'static) -> DuplexStream {
    let (mut to, from) = tokio::io::duplex(BUFFER);
    tokio::spawn(async move {
        let mut input = BufReader::new(input);
        while let Ok(Some(message)) = next(&mut input).await {
            let length = format!("Content-Length: {}\r\n\r\n", message.len());
            if to.write_all(length.as_bytes()).await.is_err() || to.write_all(&message).await.is_err() {
                return;
            }
        }
    });
    from
}

/// The next message, or what stands for it; none at the end.
async fn next(input: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        match (line.trim_ascii(), length) {
            ([], Some(length)) => {
                let mut body = Vec::new();
                let read = (&mut *input).take(length as u64).read_to_end(&mut body).await?;
                return Ok((read == length).then(|| replaced(body)));
            }
            // Empty lines between messages do no harm.
            ([], None) => {}
            (text, None) => match length_in(text) {
                Some(Ok(found)) => length = Some(found),
                Some(Err(())) => return Ok(Some(standing_for(false))),
                None if text.contains(&b':') => {}
                None => return Ok(Some(standing_for(false))),
            },
            (_, Some(_)) => {}
        }
    }
}

/// The length that a line of a header tells, if it is one that does. The rest of a longer message may stand before it.
fn length_in(line: &[u8]) -> Option<std::result::Result<usize, ()>> {
    const NAME: &[u8] = b"content-length:";
    let at = line.windows(NAME.len()).position(|part| part.eq_ignore_ascii_case(NAME))?;
    let number = std::str::from_utf8(&line[at + NAME.len()..]).ok().and_then(|text| text.trim().parse().ok());
    Some(number.filter(|length| *length <= LONGEST).ok_or(()))
}

/// A message, or what stands for it.
fn replaced(body: Vec<u8>) -> Vec<u8> {
    let is_json = match serde_json::from_slice::<Request>(&body) {
        Ok(request) if matches!(request.method(), "shutdown" | "exit") && request.params().is_some() => {
            let (method, id, _) = request.into_parts();
            let plain = Request::build(method);
            let plain = if let Some(id) = id { plain.id(id) } else { plain }.finish();
            return serde_json::to_vec(&plain).unwrap_or(body);
        }
        Ok(_) => return body,
        Err(error) => error.is_data(),
    };
    match is_json && serde_json::from_slice::<Response>(&body).is_ok() {
        true => body,
        false => standing_for(is_json),
    }
}

fn standing_for(json: bool) -> Vec<u8> {
    tracing::warn!(json, "a message that cannot be read");
    format!(r#"{{"jsonrpc":"2.0","id":null,"method":"{UNREADABLE}","params":{{"json":{json}}}}}"#).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the transport gets of a text.
    fn read(text: &'static str) -> Vec<String> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let mut output = String::new();
        runtime.block_on(async {
            readable(text.as_bytes()).read_to_string(&mut output).await.expect("text");
        });
        let mut messages = Vec::new();
        let mut rest = output.as_str();
        while let Some((head, body)) = rest.split_once("\r\n\r\n") {
            let length: usize = head.strip_prefix("Content-Length: ").expect("a length").parse().expect("a number");
            messages.push(body[..length].to_owned());
            rest = &body[length..];
        }
        messages
    }
    const BAD: &str = r#"{"jsonrpc":"2.0","id":null,"method":"jitlens/unreadable","params":{"json":false}}"#;
    const ODD: &str = r#"{"jsonrpc":"2.0","id":null,"method":"jitlens/unreadable","params":{"json":true}}"#;
    const GOOD: &str = r#"{"jsonrpc":"2.0","id":null,"result":1}"#;

    #[test]
    fn messages_pass_through() {
        let good = "Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":1}";
        assert_eq!(read(good), [GOOD]);
        assert_eq!(
            read(
                "Content-Type: x; charset=utf-8\r\ncontent-length:33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}\n"
            )
            .len(),
            1
        );
        let leaving = "Content-Length: 56\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"shutdown\",\"params\":{}}";
        assert_eq!(read(leaving), [r#"{"jsonrpc":"2.0","method":"shutdown","id":7}"#]);
        assert!(read("").is_empty() && read("Content-Length: 10\r\n\r\n{").is_empty() && read("Content-").len() <= 1);
    }

    #[test]
    fn what_is_no_message_is_replaced_and_the_next_one_is_read() {
        let after = "Content-Length: 38\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":1}";
        let cases: [(&str, &[&str]); 8] = [
            ("Content-Length: 5\r\n\r\n{\"a\":", &[BAD]),
            ("Content-Length: 0\r\n\r\n", &[BAD]),
            ("Content-Length: 2\r\n\r\n[]", &[ODD]),
            ("Content-Length: 17\r\n\r\n{\"jsonrpc\":\"1.0\"}", &[ODD]),
            ("Content-Length: many\r\n\r\n", &[BAD]),
            ("Content-Length: 99999999999999\r\n\r\n", &[BAD]),
            ("GET\r\n\r\n", &[BAD]),
            // Longer than it says: the rest is passed over.
            ("Content-Length: 2\r\n\r\n[]{}", &[ODD]),
        ];
        for (text, wanted) in cases {
            let text: &'static str = Box::leak(format!("{text}{after}").into_boxed_str());
            let wanted: Vec<&str> = wanted.iter().copied().chain([GOOD]).collect();
            assert_eq!(read(text), wanted, "{text:?}");
        }
    }
}
