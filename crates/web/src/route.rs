//! What is at which address.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, State, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use tesuji_analysis::Service;
use tesuji_board::{KoRule, Rules, Size, Suicide, fixed_handicap, free_handicap};
use tesuji_engine::{Level, even_handicap};
use tesuji_sgf::{rules_properties, usual_name};

use crate::analysis::Client;
use crate::archive::{Archive, ArchiveError};
use crate::asset::ASSETS;
use crate::desk::{Desk, Threads};
use crate::guard::{self, Guard};
use crate::lab::Lab;
use crate::record;
use crate::socket;

/// Largest record that may be sent.
const MAX_RECORD: usize = 4 << 20;
/// Problems to begin with, proved ones.
const PROBLEMS: &str = include_str!("../../../tests/tsumego/own.jsonl");

/// What all requests share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) archive: Arc<Archive>,
    pub(crate) lab: Arc<Lab>,
    pub(crate) service: Arc<Service>,
    pub(crate) threads: Arc<Threads>,
    pub(crate) version: Arc<str>,
}

/// All addresses, behind the guard.
pub(crate) fn router(shared: Shared, guard: Guard) -> Router {
    let mut router = Router::new();
    for asset in &ASSETS {
        let answer = async || with_type(asset.media_type, asset.bytes);
        router = router.route(asset.path, get(answer));
    }
    router
        .route("/api/about", get(about))
        .route("/api/handicap", get(handicap))
        .route("/api/even", get(even))
        .route("/api/games", get(list_games))
        .route("/api/games/{id}", get(load_game).put(store_game).delete(remove_game))
        .route("/api/record", post(read_record))
        .route("/api/problems", get(problems))
        .route("/api/lab", get(list_runs))
        .route("/api/lab/run", get(show_run))
        .route("/api/lab/file", get(run_file))
        .route("/ws/analysis", get(analysis))
        .route("/ws/desk", get(desk))
        .fallback(async || refusal(StatusCode::NOT_FOUND, "there is nothing at this address"))
        .layer(DefaultBodyLimit::max(MAX_RECORD))
        .layer(from_fn_with_state(guard, guard::check))
        .with_state(shared)
}

/// An answer that says why there is none.
pub(crate) fn refusal(status: StatusCode, reason: &str) -> Response {
    let mut response = answer(&json!({ "error": reason }));
    *response.status_mut() = status;
    response
}

fn answer(value: &Value) -> Response {
    with_type("application/json", value.to_string())
}

fn with_type(media_type: &'static str, body: impl Into<Body>) -> Response {
    // Another build may be at the same address a minute later.
    ([(CONTENT_TYPE, media_type), (CACHE_CONTROL, "no-cache")], body.into()).into_response()
}

impl IntoResponse for ArchiveError {
    fn into_response(self) -> Response {
        let status = match self {
            ArchiveError::BadId | ArchiveError::NoRecord(_) => StatusCode::BAD_REQUEST,
            ArchiveError::NotFound => StatusCode::NOT_FOUND,
            ArchiveError::Conflict => StatusCode::CONFLICT,
            ArchiveError::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        refusal(status, &self.to_string())
    }
}

async fn about(State(shared): State<Shared>) -> Response {
    let rules: Vec<Value> = Rules::names()
        .filter_map(|name| Rules::named(name).ok().map(|rules| (name, rules)))
        .map(|(name, rules)| {
            let (word, exact) = rules_properties(usual_name(name));
            let mut record = json!({ "RU": word });
            if let Some(exact) = exact {
                record["XRU"] = exact.into();
            }
            let suicide = rules.suicide == Suicide::Allowed;
            json!({ "name": name, "komi": rules.komi, "ko": ko_word(&rules), "suicide": suicide, "record": record })
        })
        .collect();
    let levels: Vec<Value> = Level::all()
        .map(|level| json!({ "name": level.to_string(), "description": level.description() }))
        .collect();
    answer(&json!({
        "version": &*shared.version,
        "rules": rules,
        "levels": levels,
    }))
}

/// Which repetitions are forbidden, as KataGo says it.
fn ko_word(rules: &Rules) -> &'static str {
    match rules.ko {
        KoRule::Simple => "SIMPLE",
        KoRule::Positional => "POSITIONAL",
        KoRule::Situational => "SITUATIONAL",
    }
}

#[derive(Deserialize)]
struct HandicapQuery {
    width: usize,
    height: usize,
    count: usize,
}

async fn handicap(Query(query): Query<HandicapQuery>) -> Response {
    let size = Size::new(query.width, query.height).map_err(|error| error.to_string());
    let points = size.and_then(|size| {
        let points = fixed_handicap(size, query.count).or_else(|_| free_handicap(size, query.count));
        points
            .map(|points| points.iter().map(|point| point.to_gtp(size)).collect::<Vec<String>>())
            .map_err(|error| error.to_string())
    });
    match points {
        Ok(points) => answer(&json!({ "points": points })),
        Err(error) => refusal(StatusCode::BAD_REQUEST, &error),
    }
}

#[derive(Deserialize)]
struct EvenQuery {
    width: usize,
    height: usize,
    /// Ranks: whose is better decides who has Black.
    own: String,
    level: String,
}

/// What makes a game even between a person and a level, both by their ranks: the person's colour if it matters, stones, and komi if it is not the usual one.
async fn even(Query(query): Query<EvenQuery>) -> Response {
    let terms = || {
        let size = Size::new(query.width, query.height).map_err(|error| error.to_string())?;
        let rank = |text: &str| match text.parse() {
            Ok(Level::Rank(rank)) => Ok(rank),
            _ => Err(format!("'{text}' is no rank")),
        };
        let (own, other) = (rank(&query.own)?, rank(&query.level)?);
        let (stones, komi) = even_handicap(size, own.max(other), own.min(other));
        let color = komi.map(|_| if own < other { "B" } else { "W" });
        Ok::<Value, String>(json!({ "color": color, "stones": stones, "komi": komi }))
    };
    match terms() {
        Ok(terms) => answer(&terms),
        Err(error) => refusal(StatusCode::BAD_REQUEST, &error),
    }
}

async fn list_games(State(shared): State<Shared>) -> Response {
    in_background(move || Ok(answer(&json!({ "games": shared.archive.list()? })))).await
}

async fn load_game(State(shared): State<Shared>, Path(id): Path<String>) -> Response {
    in_background(move || {
        let stored = shared.archive.load(&id)?;
        Ok(tagged(&stored.tag, with_type("application/x-go-sgf; charset=utf-8", stored.sgf)))
    })
    .await
}

async fn store_game(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
    sgf: String,
) -> Response {
    in_background(move || {
        let seen = headers.get(IF_MATCH).and_then(|value| value.to_str().ok());
        let tag = shared.archive.store(&id, &sgf, seen.map(|tag| tag.trim_matches('"')))?;
        Ok(tagged(&tag, answer(&json!({ "tag": tag }))))
    })
    .await
}

async fn remove_game(State(shared): State<Shared>, Path(id): Path<String>) -> Response {
    in_background(move || shared.archive.remove(&id).map(|()| answer(&json!({})))).await
}

fn tagged(tag: &str, mut response: Response) -> Response {
    if let Ok(value) = format!("\"{tag}\"").parse() {
        response.headers_mut().insert(ETAG, value);
    }
    response
}

async fn read_record(bytes: Bytes) -> Response {
    in_background(move || match record::read(&bytes) {
        Ok(value) => Ok(answer(&value)),
        Err(error) => Ok(refusal(StatusCode::BAD_REQUEST, &error)),
    })
    .await
}

async fn problems() -> Response {
    with_type("application/jsonl", PROBLEMS)
}

async fn list_runs(State(shared): State<Shared>) -> Response {
    in_background(move || Ok(answer(&shared.lab.list()))).await
}

#[derive(Deserialize)]
struct RunQuery {
    run: String,
    #[serde(default)]
    name: String,
}

async fn show_run(State(shared): State<Shared>, Query(query): Query<RunQuery>) -> Response {
    let show = move || shared.lab.show(&query.run).map(|run| answer(&run));
    in_background(move || Ok(show().unwrap_or_else(no_run))).await
}

async fn run_file(State(shared): State<Shared>, Query(query): Query<RunQuery>) -> Response {
    let read = move || shared.lab.file(&query.run, &query.name);
    let file = move || read().map(|(media_type, bytes)| with_type(media_type, bytes));
    in_background(move || Ok(file().unwrap_or_else(no_run))).await
}

fn no_run() -> Response {
    refusal(StatusCode::NOT_FOUND, "there is no such run")
}

/// Does what may wait for a disk beside the thread of the network.
async fn in_background(work: impl FnOnce() -> Result<Response, ArchiveError> + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => error.into_response(),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong with this request"),
    }
}

async fn analysis(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    socket::accept(upgrade, move |outbox| Client::new(&shared.service, outbox))
}

async fn desk(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    socket::accept(upgrade, move |outbox| Desk::new(shared.threads, outbox))
}
