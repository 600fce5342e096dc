/** Leaves nothing behind, not even when the test run itself is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Reads until its standard input closes: that happens when this process ends, in whatever way. Then it ends the server and
// the PostgreSQL of the directory, should they still run, and removes the directory and where root's database was put.
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

/** Watches over a temporary DATA_DIR. The returned function clears it away now. */
export function clearAwayAfterThisProcess(dataDir: string): () => Promise<void> {
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
