#!/bin/sh
# Installs Handstamp on Debian 13, or updates it, as root:
#
#   deploy/debian/install.sh tickets.example
#
# Repeating it is safe: it keeps settings, secrets and data, and builds the new version before it stops the old one. The old one stays in
# /srv/handstamp/app.old.
set -eu

repository=$(cd "$(dirname "$0")/../.." && pwd)
etc=/etc/handstamp
home=/srv/handstamp

say() { printf '\n%s\n' "$*"; }
fail() { printf '\n%s\n' "$*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail 'Run this as root.'
domain=${1:-$(sed -n 's#^PUBLIC_URL=https://##p' $etc/settings.env 2>/dev/null || true)}
[ -n "$domain" ] || fail 'Say under which name people open it: deploy/debian/install.sh tickets.example'

say 'Packages'
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ca-certificates git nodejs npm postgresql caddy openssl

id handstamp >/dev/null 2>&1 || useradd --system --create-home --home-dir $home --shell /usr/sbin/nologin handstamp

say 'Secrets and settings'
install -d -m 700 $etc $etc/secrets
# Nothing below is readable by others, not even for a moment.
umask 077
for name in DATABASE_URL APP_SECRET STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET SMTP_URL PHOTOS_S3_KEY METRICS_TOKEN; do
  [ -e $etc/secrets/$name ] || : >$etc/secrets/$name
done
[ -s $etc/secrets/APP_SECRET ] || openssl rand -hex 32 >$etc/secrets/APP_SECRET
[ -s $etc/secrets/METRICS_TOKEN ] || openssl rand -hex 16 >$etc/secrets/METRICS_TOKEN
if [ ! -s $etc/secrets/DATABASE_URL ]; then
  password=$(openssl rand -hex 24)
  # Through standard input, because other users see the arguments of a process.
  runuser -u postgres -- psql -q -v ON_ERROR_STOP=1 <<SQL
select 'create role handstamp login createrole' where not exists (select from pg_roles where rolname = 'handstamp') \gexec
alter role handstamp password '$password';
select 'create database handstamp owner handstamp' where not exists (select from pg_database where datname = 'handstamp') \gexec
SQL
  echo "postgres://handstamp:$password@127.0.0.1/handstamp" >$etc/secrets/DATABASE_URL
fi
if [ ! -e $etc/settings.env ]; then
  cat >$etc/settings.env <<SETTINGS
PUBLIC_URL=https://$domain
HOST=127.0.0.1
TRUST_PROXY=1
DATA_DIR=/var/lib/handstamp
MAIL_FROM="Tickets <tickets@$domain>"
REFUND_DELAY_MINUTES=30
# Who is emailed about problems:
# ALERT_EMAIL=
# One process per core that the database leaves free:
# WORKERS=2
SETTINGS
fi
umask 022

say 'The new version'
rm -rf $home/app.new
install -d -o handstamp -g handstamp $home/app.new
# Without .git: the server's folder must not contain the history.
git -C "$repository" archive HEAD | runuser -u handstamp -- tar -x -C $home/app.new
runuser -u handstamp -- env HOME=$home sh -c "cd $home/app.new && npm ci --no-audit --no-fund && npm run build"
# Pages that are open in a browser find the rest of their code: what the present version built, and no version before it.
if [ -d $home/app/dist/web/static ]; then
  (cd $home/app/dist/web/static && find . -type f -newer $home/app/node_modules/.package-lock.json -print0 | tar -c --null -T -) |
    runuser -u handstamp -- tar -x --skip-old-files -C $home/app.new/dist/web/static
fi
[ "$(uname -m)" = aarch64 ] && architecture=arm64 || architecture=x64
# Debian's npm makes no link to it in node_modules/.bin.
ln -s "node_modules/node-linux-$architecture/bin/node" $home/app.new/node

say 'Service and proxy'
install -m 644 "$repository/deploy/debian/handstamp.service" /etc/systemd/system/handstamp.service
if ! grep -qs "reverse_proxy 127.0.0.1:3000" /etc/caddy/Caddyfile; then
  sed "s/tickets\.example/$domain/g" "$repository/deploy/debian/Caddyfile" >/etc/caddy/Caddyfile
fi
systemctl daemon-reload
systemctl enable handstamp

rm -rf $home/app.old
[ ! -d $home/app ] || mv $home/app $home/app.old
mv $home/app.new $home/app
systemctl restart handstamp
systemctl reload-or-restart caddy

say "Handstamp is installed. What is left:
- Point the name $domain to this machine.
- Put Stripe's keys and the mail server into the files in $etc/secrets, then: systemctl restart handstamp
- Keep a copy of $etc/secrets/APP_SECRET elsewhere, and set up backups: deploy/backup/install.sh
- Register at https://$domain/register as the first organizer."
