#!/bin/sh
# Verifies a proof that was downloaded from "Money you're owed":
#
#   sh scripts/verify-proof.sh proof-2026-11-27.txt
#
# Compare the day, the root and the total it prints with those on /trust.
set -eu

sha256() { printf '%s' "$1" | sha256sum | cut -d ' ' -f 1; }

day='' hash='' cents=0 root='' total=''
while read -r word first second third; do
  case $word in
    day) day=$first ;;
    owed) hash=$(sha256 "owed $first $second $third") cents=$third ;;
    left) hash=$(sha256 "sum $first $second $hash $cents") cents=$((second + cents)) ;;
    right) hash=$(sha256 "sum $hash $cents $first $second") cents=$((cents + second)) ;;
    total) root=$first total=$second ;;
  esac
  # Of a negative neighbor, the total would hide an amount.
  case "$second $third" in -* | *' -'*) hash='' ;; esac
done < "$1"

if [ -z "$root" ] || [ "$hash" != "$root" ] || [ "$cents" != "$total" ]; then
  echo "doesn't match" >&2
  exit 1
fi
echo "matches: $day $root $total"
