/** Cleans up even when the test run itself is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Reads until its stdin closes, which happens however this process ends. Then stops the server and the PostgreSQL of
// the directory if they still run, and removes the directory and the database folder made for root.
const WATCH = `
read -r _
if [ -f "$1/server.pid" ]; then kill -KILL "$(cat "$1/server.pid")"; fi
database=$(readlink -f "$1/postgres")
if [ -f "$database/postmaster.pid" ]; then
  sockets=$(sed -n 5p "$database/postmaster.pid")
  kill -QUIT "$(head -n 1 "$database/postmaster.pid")" && sleep 1
  case "$sockets" in */handstamp-*) rm -rf "$sockets" ;; esac
fi
case "$database" in /var/lib/handstamp/database-*/postgres) rm -rf "$(dirname "$database")" ;; esac
rm -rf "$1"
`;

/** Guards a temporary DATA_DIR. The returned function cleans it up now. */
export function cleanUpOnExit(dataDir: string): () => Promise<void> {
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', dataDir], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  watcher.unref();
  return async () => {
    const gone = once(watcher, 'exit');
    watcher.ref();
    watcher.stdin.end();
    await gone;
  };
}
