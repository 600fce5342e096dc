#!/bin/sh
# Restores the database to a second, as root, on the machine of the database. Stop Handstamp on every host first.
#
#   deploy/backup/restore.sh '2026-11-28 21:14:05+00'     or: deploy/backup/restore.sh latest
#
# The database as it was is kept, in a folder whose name this prints. Payouts and refunds wait until the restored one agrees with Stripe.
set -eu

fail() { printf '\n%s\n' "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'Run this as root.'
target=${1:-}
[ -n "$target" ] || fail "Say to which second: deploy/backup/restore.sh '2026-11-28 21:14:05+00', or latest."
version=${PG_VERSION:-$(find /etc/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -1)}
data=/var/lib/postgresql/$version/main
kept=$data.before-restore-$(date -u +%Y%m%dT%H%M%SZ)

if systemctl is-active --quiet handstamp; then fail 'Handstamp is running. Stop it first, on every host: systemctl stop handstamp'; fi
systemctl stop postgresql
[ ! -d "$data" ] || mv "$data" "$kept"
install -d -o postgres -g postgres -m 700 "$data"
if [ "$target" = latest ]; then set -- --type=default; else set -- --type=time "--target=$target" --target-action=promote; fi
runuser -u postgres -- pgbackrest --stanza=handstamp "$@" restore
systemctl start postgresql
until runuser -u postgres -- psql -qAt -c 'select not pg_is_in_recovery()' 2>/dev/null | grep -q t; do sleep 1; done
runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 handstamp -c 'select mark_restored()'

printf '\n%s\n' "Restored to $target. The database as it was: $kept
Next: npm run doctor, then systemctl start handstamp on one host."
