#!/bin/sh
# Runs next to the database. Streams its log into /backup/wal as it is written, and once a day makes a full copy, checks it, and copies
# the photos. Keeps KEEP_DAYS days, back to any second of which restore.sh can go.
set -eu
folder=${BACKUP:-/backup}
data=${DATA:-/data}
keep=${KEEP_DAYS:-7}
export PGHOST="${PGHOST:-/var/run/postgresql}" PGUSER="${PGUSER:-handstamp}" PGDATABASE="${PGDATABASE:-handstamp}"
PGPASSWORD=$(cat "${PASSWORD_FILE:-/run/secrets/DATABASE_PASSWORD}")
export PGPASSWORD

say() { echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*"; }

stream() {
  mkdir -p "$folder/wal"
  while :; do
    # A restored database has no slot. The second command ends when the connection is lost.
    if pg_receivewal --slot=handstamp_backup --create-slot --if-not-exists; then
      pg_receivewal --directory="$folder/wal" --slot=handstamp_backup --synchronous --no-loop || true
    fi
    say 'The log is not being received. Trying again.'
    sleep 2
  done
}

copy() {
  name=$folder/$(date -u +%Y-%m-%dT%H%M%SZ)
  rm -rf "$folder"/*.unfinished
  pg_basebackup --pgdata="$name.unfinished/database" --checkpoint=fast --wal-method=stream
  pg_verifybackup --quiet "$name.unfinished/database"
  # After the database, so that every photo that it knows is there. A new installation has neither yet.
  find "$data" -maxdepth 1 \( -name photos -o -name erasures.jsonl \) -printf '%f\n' |
    tar -C "$data" -czf "$name.unfinished/files.tar.gz" --files-from=-
  # Whole, or not there.
  sync
  mv "$name.unfinished" "$name"
  psql -qAtX -c 'select record_backup()' >/dev/null
  say "Copied to $name."
}

forget() {
  find "$folder" -mindepth 1 -maxdepth 1 -name '20*Z' -mtime "+$keep" -exec rm -rf {} +
  oldest=$(find "$folder" -mindepth 1 -maxdepth 1 -name '20*Z' | sort | head -n 1)
  start=$(sed -n 's/^START WAL LOCATION: .*(file \(.*\))$/\1/p' "$oldest/database/backup_label")
  pg_archivecleanup "$folder/wal" "$start"
}

if [ "${1:-}" = once ]; then
  copy
  forget
  exit
fi

stream &
while :; do
  if copy && forget; then
    sleep "${EVERY_SECONDS:-86400}"
  else
    say 'The copy failed. Trying again in ten minutes.'
    sleep 600
  fi
done
