#!/bin/sh
# Writes the settings and secrets that compose.yaml reads. Repeating it changes nothing that is there:
#
#   deploy/container/prepare.sh tickets.example
set -eu
cd "$(dirname "$0")"
domain=${1:?Say under which name people open it: prepare.sh tickets.example}

random() { od -An -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }

mkdir -p secrets backup
# The folder keeps others out. The server reads its files as a user who is no one on this machine.
chmod 700 secrets backup
for name in DATABASE_PASSWORD DATABASE_URL APP_SECRET STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET SMTP_URL PHOTOS_S3_KEY METRICS_TOKEN; do
  [ -e "secrets/$name" ] || : >"secrets/$name"
done
[ -s secrets/APP_SECRET ] || random 32 >secrets/APP_SECRET
[ -s secrets/METRICS_TOKEN ] || random 16 >secrets/METRICS_TOKEN
[ -s secrets/DATABASE_PASSWORD ] || random 24 >secrets/DATABASE_PASSWORD
[ -s secrets/DATABASE_URL ] ||
  echo "postgres:///handstamp?host=/run/postgresql&user=handstamp&password=$(cat secrets/DATABASE_PASSWORD)" >secrets/DATABASE_URL
chmod 444 secrets/*
if [ ! -e settings.env ]; then
  cat >settings.env <<SETTINGS
PUBLIC_URL=https://$domain
MAIL_FROM=Tickets <tickets@$domain>
REFUND_DELAY_MINUTES=30
SETTINGS
fi
