/** `npm start`: from a fresh clone to a running server. Needs only Node 20 or newer and npm. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { ensureInstalled } from './install.mjs';
import { giveUp, root } from './run.mjs';
import { buildWebIfChanged } from './web-build.mjs';

const node = await ensureInstalled();

const build = await buildWebIfChanged();
if (!build.succeeded) {
  console.error(build.output);
  giveUp("Couldn't build the web pages. See the messages above.");
}

// In its own process group: Ctrl-C reaches every process in the terminal's group, and npm forwards it as well. This
// process signals the server once. If it is killed, the closed IPC channel stops the server.
const server = spawn(node, ['src/server/main/main.ts', '--end-with-starter'], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  detached: true,
});

let signaledAt = 0;
function stopServer() {
  // A second Ctrl-C counts; duplicates of the first arrive within milliseconds.
  if (Date.now() - signaledAt < 1000) return;
  signaledAt = Date.now();
  server.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopServer);

// npm sends SIGTERM to the shell that runs this script, and the shell exits without forwarding it.
const shell = process.ppid;
if (process.env.npm_lifecycle_event === 'start') {
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stopServer();
  }, 500);
}

server.on('error', (error) => giveUp(`Couldn't start the server: ${error.message}`));
server.on('exit', (code, signal) => {
  if (signal) console.error(`The server was killed by ${signal}. The next start recovers unfinished work.`);
  process.exit(code ?? 128 + constants.signals[signal]);
});
