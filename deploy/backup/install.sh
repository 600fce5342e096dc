#!/bin/sh
# Sets up backups of a Handstamp that deploy/debian/install.sh installed, as root:
#
#   deploy/backup/install.sh
#
# Repeating it is safe. It restarts PostgreSQL once, to begin archiving.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
fail() { printf '\n%s\n' "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail 'Run this as root.'

DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends pgbackrest restic openssl
version=$(find /etc/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n | tail -1)
[ -n "$version" ] || fail 'There is no PostgreSQL on this machine.'

# Nothing below is readable by others, not even for a moment.
umask 077
secrets=/etc/pgbackrest/conf.d/secrets.conf
install -d -o postgres -g postgres -m 750 /etc/pgbackrest /etc/pgbackrest/conf.d /var/lib/pgbackrest
[ -s $secrets ] || printf '[global]\nrepo1-cipher-pass=%s\n' "$(openssl rand -base64 48)" >$secrets
chown postgres:postgres $secrets
[ -s /etc/handstamp/restic.key ] || openssl rand -base64 48 >/etc/handstamp/restic.key
[ -e /etc/handstamp/backup.env ] || cat >/etc/handstamp/backup.env <<SETTINGS
RESTIC_REPOSITORY=/var/lib/handstamp-files
RESTIC_PASSWORD_FILE=/etc/handstamp/restic.key
SETTINGS
umask 022

sed "s#/postgresql/17/#/postgresql/$version/#" "$here/pgbackrest.conf" >/etc/pgbackrest/pgbackrest.conf
rm -f /etc/pgbackrest.conf
install -d /etc/postgresql/"$version"/main/conf.d
sed "s#/postgresql/17/#/postgresql/$version/#" "$here/postgresql.conf" >/etc/postgresql/"$version"/main/conf.d/handstamp-backup.conf
install -m 644 "$here"/*.service "$here"/*.timer /etc/systemd/system/
systemctl daemon-reload
systemctl restart postgresql

runuser -u postgres -- pgbackrest --stanza=handstamp stanza-create
runuser -u postgres -- pgbackrest --stanza=handstamp check
set -a; . /etc/handstamp/backup.env; set +a
restic cat config >/dev/null 2>&1 || restic init
# The server makes its tables when it first starts.
seconds=0
until runuser -u postgres -- psql -qAt handstamp -c "select 'record_backup()'::regprocedure" >/dev/null 2>&1; do
  seconds=$((seconds + 1))
  [ $seconds -lt 120 ] || fail 'The database has no tables yet. Start the server once: systemctl start handstamp'
  sleep 1
done
systemctl start handstamp-backup@full handstamp-backup-files
systemctl enable --now handstamp-backup-full.timer handstamp-backup-diff.timer handstamp-backup-files.timer handstamp-backup-verify.timer

printf '\n%s\n' "Backups run. What is left:
- Keep copies of $secrets and /etc/handstamp/restic.key on another machine: without them, the backups can't be read.
- Add a second repository off-site in /etc/pgbackrest/pgbackrest.conf, and an off-site RESTIC_REPOSITORY in /etc/handstamp/backup.env.
- Check the first backup: systemctl start handstamp-backup-verify"
