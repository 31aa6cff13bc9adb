#!/bin/sh
# A PostgreSQL server and two workers on this machine, for a match of twenty games: `sh local.sh DIRECTORY`, with a new directory.
# Server and workers run as this user, who must not be root, and end with the match. PostgreSQL's programs (Debian has them in
# /usr/lib/postgresql/15/bin) and tesuji must be in the PATH.
set -eu
mkdir -p "$1"
cd "$1"
workers=
trap 'kill $workers; wait; pg_ctl -D data -m fast stop' EXIT
initdb -D data --auth=trust --username=tesuji > initdb.log
pg_ctl -w -D data -l server.log -o "-c listen_addresses= -c unix_socket_directories='$PWD'" start
createdb -h "$PWD" -U tesuji tesuji

TESUJI_STORE="postgres://tesuji@$(printf %s "$PWD" | sed 's|/|%2F|g')/tesuji"
export TESUJI_STORE
tesuji jobs migrate
for name in one two; do
  tesuji worker --name "$name" &
  workers="$workers $!"
done
tesuji match --engine 'rave=preset:rave --playouts 100' --engine 'uct=preset:uct --playouts 100' --size 7 --games 20 --out match --store "$TESUJI_STORE"
tesuji jobs list
