#!/bin/sh
# Puts the database back as it was at a time, with the photos, while the database and the server are stopped:
#
#   restore.sh                          as it was last
#   restore.sh '2026-11-28 20:15:00+00' as it was then
#
# What was there before stays next to it, in a folder that ends in .before.
set -eu
folder=${BACKUP:-/backup}
data=${DATA:-/data}
database=${PGDATA:-/var/lib/postgresql/data/current}
moment=${1:-}

fail() { echo "$*" >&2; exit 1; }

[ ! -e "$database/postmaster.pid" ] || fail "Stop the database first. If it is stopped, remove $database/postmaster.pid."

newest=
for copy in "$folder"/20*Z; do
  [ -d "$copy" ] || fail "There is no copy in $folder."
  # The copy must have ended before the time that is asked for.
  if [ -z "$moment" ] || [ "$(date -u -r "$copy/database/backup_manifest" +%s)" -le "$(date -u -d "$moment" +%s)" ]; then newest=$copy; fi
done
[ -n "$newest" ] || fail "No copy is older than $moment."

rm -rf "$database.before"
[ ! -e "$database" ] || mv "$database" "$database.before"
cp -a "$newest/database" "$database"
# The log goes along, because the database sees no other folder. The last segment was not full yet.
cp -a "$folder/wal" "$database/log_to_replay"
for segment in "$database"/log_to_replay/*.partial; do
  [ ! -e "$segment" ] || mv "$segment" "${segment%.partial}"
done
# Those of an earlier restoration came along with the copy.
sed -i '/^\(restore_command\|recovery_\)/d' "$database/postgresql.auto.conf"
{
  echo "restore_command = 'cp \"log_to_replay/%f\" \"%p\"'"
  echo "recovery_end_command = 'rm -rf log_to_replay'"
  echo "recovery_target_action = 'promote'"
  [ -z "$moment" ] || echo "recovery_target_time = '$moment'"
} >>"$database/postgresql.auto.conf"
touch "$database/recovery.signal"
chmod 700 "$database"
chown -R --reference="$(dirname "$database")" "$database"
tar -C "$data" --skip-old-files -xzf "$newest/files.tar.gz"
echo "Restored from $newest. Start the database, then the server, then look at the log and run the doctor."
