/** `npm start`: from a fresh clone to a running product. Needs Node 20 or newer, npm, and nothing else. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ensureInstalled } from './install.mjs';
import { giveUp, root } from './run.mjs';
import { buildWebIfChanged } from './web-build.mjs';

const node = await ensureInstalled();

const build = await buildWebIfChanged();
if (!build.succeeded) {
  console.error(build.said);
  giveUp('The web pages could not be built: the messages above say why.');
}

// In a process group of its own: Ctrl-C reaches every process of the terminal's group, and npm passes it on as well.
// The server hears of it once, from here. If this process is killed, the closed channel tells it.
const server = spawn(node, ['src/server/main/main.ts', '--end-with-starter'], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  detached: true,
});

let toldAt = 0;
function stopServer() {
  // A second Ctrl-C is meant; the echoes of the first arrive within moments.
  if (Date.now() - toldAt < 1000) return;
  toldAt = Date.now();
  server.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopServer);

// npm passes SIGTERM to the shell that runs this script, and that shell ends without a word to us.
const shell = process.ppid;
if (process.env.npm_lifecycle_event === 'start') {
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stopServer();
  }, 500);
}

server.on('error', (error) => giveUp(`The server could not be started: ${error.message}`));
server.on('exit', (code, signal) => {
  if (signal) console.error(`The server was ended by ${signal}. The next start recovers what it left.`);
  process.exit(code ?? 128 + constants.signals[signal]);
});
