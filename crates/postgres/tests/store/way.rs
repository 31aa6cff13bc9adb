//! The way to the server: passwords from files, encryption, and certificates that nobody has signed.

use std::fs;
use std::net::TcpListener;
use std::path::Path;

use tesuji_lab::job::StoreError;
use tesuji_postgres::{Place, PostgresStore, schema};

use crate::cluster::{Cluster, run};

/// An authority, and a certificate of the server that it has signed.
fn make_certificates(cluster: &Cluster) {
    let script = "set -e
        openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.crt
        openssl req -new -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr
        echo subjectAltName=DNS:localhost > extension
        openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile extension -out server.crt
        chmod 600 server.key";
    run(cluster.as_server(Path::new("sh")).args(["-c", script]));
}

#[test]
fn passwords_are_asked_for_and_strangers_are_not_talked_to() {
    let Some(cluster) = Cluster::start() else { return };
    make_certificates(&cluster);
    let mut superuser = Place::parse(&cluster.database("jobs"), None).unwrap().connect().unwrap();
    superuser.batch_execute("create role anna login password 'secret'").unwrap();
    schema::migrate(&mut superuser).unwrap();
    superuser
        .batch_execute(
            "grant usage on schema tesuji to anna; grant select on all tables in schema tesuji to anna",
        )
        .unwrap();
    drop(superuser);
    cluster.crash();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let folder = cluster.path().display();
    let tcp = format!("-c listen_addresses=127.0.0.1 -c port={port}");
    cluster.begin_with(&format!(
        "{tcp} -c ssl=on -c ssl_cert_file={folder}/server.crt -c ssl_key_file={folder}/server.key"
    ));

    let (right, wrong) = (cluster.path().join("right"), cluster.path().join("wrong"));
    fs::write(&right, "secret\n").unwrap();
    fs::write(&wrong, "guess\n").unwrap();
    let authority = cluster.path().join("ca.crt");
    let place = |options: &str, password: &Path, authority: Option<&Path>| {
        let address = format!("postgres://anna@localhost:{port}/jobs{options}");
        Place::parse(&address, Some(password)).unwrap().with_authorities(authority)
    };
    let mut client = place("", &right, Some(&authority)).connect().unwrap();
    let row = client.query_one("select ssl from pg_stat_ssl where pid = pg_backend_pid()", &[]).unwrap();
    assert!(row.get::<_, bool>(0), "encrypted without being asked to");
    let refused = PostgresStore::open(place("", &wrong, Some(&authority))).map(drop);
    assert!(matches!(&refused, Err(StoreError::Server(why)) if why.contains("password")), "{refused:?}");
    // A certificate that an authority of ours has not signed, and a server that has none.
    run(cluster.as_server(Path::new("sh")).args([
        "-c",
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout other.key -out other.crt",
    ]));
    let stranger = place("", &right, Some(&cluster.path().join("other.crt"))).connect().map(drop);
    let reason = stranger.unwrap_err().to_string();
    assert!(reason.contains("certificate"), "{reason}");
    cluster.crash();
    cluster.begin_with(&tcp);
    let reason = place("", &right, Some(&authority)).connect().map(drop).unwrap_err().to_string();
    assert!(reason.contains("TLS"), "{reason}");
    assert!(place("?sslmode=disable", &right, None).connect().is_ok(), "if somebody says so");
}
