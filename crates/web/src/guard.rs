//! Who may ask: nobody from a foreign page, and elsewhere than on this machine only who knows the token.
//!
//! A page of another site can send requests to 127.0.0.1, so being local is no reason to be trusted. Browsers say in `Origin` which page a request is
//! from; it must be ours. A site can also make its own name point to this machine; then `Host` has that name, which nobody
//! here goes by. Programs that are no browsers send no `Origin` and are let in.

use axum::extract::{Request, State};
use axum::http::header::{COOKIE, HOST, HeaderValue, LOCATION, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

use crate::route::refusal;

/// Name of the cookie that holds the token.
const COOKIE_NAME: &str = "tesuji-token";

/// Everything comes from the server itself; nothing goes anywhere else, and no text can become a script.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What requests have to show.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Needed where others than this machine can connect.
    token: Option<Arc<str>>,
}

impl Guard {
    /// For a server at this address: a new token if it can be reached from elsewhere.
    pub(crate) fn for_address(address: SocketAddr) -> Result<Guard, getrandom::Error> {
        let token = if address.ip().is_loopback() { None } else { Some(new_token()?.into()) };
        Ok(Guard { token })
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    fn refuses(&self, headers: &HeaderMap, query: Option<&str>) -> Option<(StatusCode, &'static str)> {
        let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if self.token.is_none() && !is_this_machine(host) {
            return Some((StatusCode::FORBIDDEN, "this server goes by the name localhost"));
        }
        if let Some(origin) = headers.get(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if place.is_none_or(|place| !place.eq_ignore_ascii_case(host)) {
                return Some((StatusCode::FORBIDDEN, "requests of other sites are refused"));
            }
        }
        let token = self.token.as_deref()?;
        let shown = token_in_query(query).or_else(|| token_in_cookie(headers));
        if shown.is_some_and(|shown| is_same(shown, token)) {
            return None;
        }
        Some((
            StatusCode::UNAUTHORIZED,
            "open the address with the token that the server printed when it started",
        ))
    }
}

/// Lets a request through or refuses it, and marks every answer with what browsers may do with it.
pub(crate) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let query = request.uri().query();
    let mut response = if let Some((status, reason)) = guard.refuses(request.headers(), query) {
        refusal(status, reason)
    } else if let (Some(token), Some(_), &Method::GET, "/") =
        (guard.token(), token_in_query(query), request.method(), request.uri().path())
    {
        // The token moves from the address, which people copy and browsers remember, into a cookie.
        let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
        let mut response = StatusCode::SEE_OTHER.into_response();
        response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    } else {
        next.run(request).await
    };
    for (name, value) in [
        ("content-security-policy", CONTENT_SECURITY_POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a `Host` names this machine; the port may be that of a tunnel.
fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

fn token_in_query(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|part| part.strip_prefix("token="))
}

fn token_in_cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut parts = cookies.flat_map(|value| value.split(';')).map(str::trim);
    parts.find_map(|part| part.strip_prefix(COOKIE_NAME)?.strip_prefix('='))
}

/// Compares in a time that does not tell how much is right.
fn is_same(shown: &str, token: &str) -> bool {
    let differences = shown.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    shown.len() == token.len() && differences == 0
}

/// 128 random bits as hexadecimal digits.
fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(axum::http::HeaderName, &str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn status(guard: &Guard, list: &[(axum::http::HeaderName, &str)], query: Option<&str>) -> u16 {
        guard.refuses(&headers(list), query).map_or(200, |(status, _)| status.as_u16())
    }

    #[test]
    fn foreign_pages_and_names_are_refused() {
        let guard = Guard::for_address("127.0.0.1:1234".parse().unwrap()).unwrap();
        assert_eq!(guard.token(), None);
        for (host, origin, expected) in [
            ("127.0.0.1:1234", None, 200),
            ("localhost:1234", None, 200),
            ("[::1]:1234", None, 200),
            ("localhost:1234", Some("http://localhost:1234"), 200),
            ("localhost:1234", Some("http://LOCALHOST:1234"), 200),
            ("localhost:1234", Some("http://localhost:80"), 403),
            ("localhost:1234", Some("http://evil.example"), 403),
            ("localhost:1234", Some("http://localhost:1234.evil.example"), 403),
            ("localhost:1234", Some("null"), 403),
            ("evil.example:1234", Some("http://evil.example:1234"), 403),
            ("evil.example", None, 403),
            ("localhost.evil.example", None, 403),
            ("", None, 403),
        ] {
            let mut list = vec![(HOST, host)];
            list.extend(origin.map(|origin| (ORIGIN, origin)));
            assert_eq!(status(&guard, &list, None), expected, "{host} {origin:?}");
        }
    }

    #[test]
    fn elsewhere_the_token_is_needed() {
        let guard = Guard::for_address("0.0.0.0:1234".parse().unwrap()).unwrap();
        let token = guard.token().unwrap();
        assert_eq!(token.len(), 32);
        let other = Guard::for_address("0.0.0.0:1234".parse().unwrap()).unwrap();
        assert_ne!(Some(token), other.token());
        let host = [(HOST, "go.example:1234")];
        assert_eq!(status(&guard, &host, None), 401);
        assert_eq!(status(&guard, &host, Some(&format!("token={token}"))), 200);
        assert_eq!(status(&guard, &host, Some(&format!("token={}", &token[1..]))), 401);
        assert_eq!(status(&guard, &host, Some("token=")), 401);
        let cookie = format!("a=b; {COOKIE_NAME}={token}");
        assert_eq!(status(&guard, &[(HOST, "go.example"), (COOKIE, &cookie)], None), 200);
        let cookie = format!("{COOKIE_NAME}={}", "0".repeat(32));
        assert_eq!(status(&guard, &[(HOST, "go.example"), (COOKIE, &cookie)], None), 401);
        let foreign = [(HOST, "go.example:1234"), (ORIGIN, "http://evil.example")];
        assert_eq!(status(&guard, &foreign, Some(&format!("token={token}"))), 403);
    }
}
