/**
 * `npm run lighthouse`: starts the server with demo data and measures the pages that most people open on Lighthouse's
 * mobile profile: landing, event, order and lost tickets. Exits with 1 if a limit is missed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled } from './install.mjs';
import { giveUp, root } from './run.mjs';
import { buildWebIfChanged } from './web-build.mjs';

const SCORE_MIN = 95;
const LIMITS = {
  'largest-contentful-paint': { name: 'LCP', max: 1800, format: (ms) => `${(ms / 1000).toFixed(2)} s` },
  'cumulative-layout-shift': { name: 'CLS', max: 0.03, format: (shift) => shift.toFixed(3) },
  'total-blocking-time': { name: 'TBT', max: 150, format: (ms) => `${Math.round(ms)} ms` },
};
const RUNS = 3;
const START_TIMEOUT_SECONDS = 120;

const node = await ensureInstalled();
const executablePath = await ensureBrowser();
const build = await buildWebIfChanged();
if (!build.succeeded) giveUp(build.output);

const dataDir = mkdtempSync(path.join(tmpdir(), 'handstamp-lighthouse-'));
const [port, sandboxPort, debugPort] = await freePorts(3);
const server = spawn(node, ['src/server/main/main.ts'], {
  cwd: root,
  env: { ...process.env, PORT: port, SANDBOX_PORT: sandboxPort, HOST: '127.0.0.1', DATA_DIR: dataDir, SEED_DEMO: '1' },
});
let missed = 0;
try {
  const output = await untilReady(server);
  const eventPath = /\/payment\/[\w-]+/.exec(output)?.[0] ?? '';
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', `--remote-debugging-port=${debugPort}`],
  });
  try {
    const site = `http://localhost:${port}`;
    for (const page of ['/', eventPath, '/find-tickets']) missed += await measure(site + page);
    // An order's address is a secret, so search engines are kept out.
    missed += await measure(site + (await orderPath(site)), { skipAudits: ['is-crawlable'] });
  } finally {
    await browser.close();
  }
} finally {
  await stop(server);
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(missed === 0 ? 0 : 1);

/** The page of an order that the demo sold, from its email. */
async function orderPath(site) {
  const emails = await (await fetch(`${site}/sandbox/inbox.json`)).json();
  const paths = emails.map(({ text }) => /\/order\/[\w.-]+/.exec(text)?.[0]);
  return paths.find(Boolean) ?? giveUp('The demo emailed no order.');
}

/**
 * Takes the median of several runs, because a single one varies with the machine. Resolves to the number of missed
 * limits.
 */
async function measure(url, options = {}) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { lhr } = await lighthouse(url, { port: debugPort, output: 'json', logLevel: 'error', ...options });
    runs.push(lhr);
  }
  const scores = Object.keys(runs[0].categories).map((category) => {
    const points = median(runs.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100)));
    return { isMet: points >= SCORE_MIN, text: `${runs[0].categories[category].title} ${points}` };
  });
  const times = Object.entries(LIMITS).map(([audit, { name, max, format }]) => {
    const value = median(runs.map(({ audits }) => audits[audit]?.numericValue ?? Number.POSITIVE_INFINITY));
    return { isMet: value <= max, text: `${name} ${format(value)}` };
  });
  const results = [...scores, ...times];
  const failed = results.filter(({ isMet }) => !isMet).length;
  console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${new URL(url).pathname}`);
  for (const { isMet, text } of results) console.log(`     ${isMet ? ' ' : '!'} ${text}`);
  return failed;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function untilReady(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => reject(new Error(`not ready in ${START_TIMEOUT_SECONDS} s:\n${output}`)),
      START_TIMEOUT_SECONDS * 1000,
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (!output.includes('Handstamp listening on')) return;
        clearTimeout(timer);
        resolve(output);
      });
    }
    child.on('exit', () => reject(new Error(`the server exited:\n${output}`)));
  });
}

function stop(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.removeAllListeners('exit');
    child.on('exit', resolve);
    child.kill('SIGTERM');
  });
}

async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const probe = createServer().listen(0, '127.0.0.1', () => resolve(probe));
        }),
    ),
  );
  const ports = servers.map((probe) => probe.address().port);
  await Promise.all(servers.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}
