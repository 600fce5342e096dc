#!/bin/sh
# Verifies a proof that was downloaded from "Money you're owed":
#
#   sh scripts/verify-proof.sh proof-2026-11-27.txt
#
# Compare what it prints with the screen: your organization and amount, and the day, root and total on /trust.
set -eu

fail() {
  echo "doesn't match: $1" >&2
  exit 1
}
sha256() { printf '%s' "$1" | sha256sum | cut -d ' ' -f 1; }
# Before any arithmetic, because the file comes from those who are checked. A negative neighbor would hide an amount.
require_cents() {
  case $1 in '' | *[!0-9]* | 0?*) fail "$1 is no amount" ;; esac
  [ "${#1}" -le 15 ] || fail "$1 is too large"
}
require_hash() {
  case $1 in *[!0-9a-f]*) fail "$1 is no hash" ;; esac
  [ "${#1}" -eq 64 ] || fail "$1 is no hash"
}

day='' leaf='' hash='' cents='' total=''
while read -r word first second third || [ -n "$word" ]; do
  case $word in
    day)
      [ -z "$day" ] || fail 'two days'
      day=$first
      ;;
    owed)
      [ -n "$day" ] && [ -z "$leaf" ] || fail 'the amount is not second'
      require_cents "$third"
      leaf="$first $third" hash=$(sha256 "owed $first $second $third") cents=$third
      ;;
    left | right)
      [ -n "$leaf" ] && [ -z "$total" ] || fail "a neighbor at the wrong place"
      require_hash "$first"
      require_cents "$second"
      if [ "$word" = left ]; then text="sum $first $second $hash $cents"; else text="sum $hash $cents $first $second"; fi
      hash=$(sha256 "$text") cents=$((cents + second))
      require_cents "$cents"
      ;;
    total)
      [ -n "$leaf" ] && [ -z "$total" ] || fail 'two totals'
      require_hash "$first"
      [ "$hash" = "$first" ] || fail 'another root'
      [ "$cents" = "$second" ] || fail 'another total'
      total="$first $second"
      ;;
    signature | '') ;;
    *) fail "an unknown line: $word" ;;
  esac
done <<PROOF
$(tr -d '\r' < "$1")
PROOF

[ -n "$total" ] || fail 'no total'
echo "matches: $leaf is part of $day $total"
