/**
 * `npm run lighthouse`: measures on Lighthouse's mobile profile. For everyone: landing, event, order and lost tickets, with
 * demo data. For an organizer of 1,000 events, one of them with 50,000 guests: home and each tab of that event. Exits
 * with 1 if a limit is missed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { ensureBrowser } from './browser.mjs';
import { ensureInstalled } from './install.mjs';
import { giveUp, root } from './run.mjs';
import { buildWebIfChanged } from './web-build.mjs';

const SCORE_MIN = 95;
const inSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const inMs = (ms) => `${Math.round(ms)} ms`;
const LIMITS = {
  'largest-contentful-paint': { name: 'LCP', max: 1800, format: inSeconds },
  'cumulative-layout-shift': { name: 'CLS', max: 0.03, format: (shift) => shift.toFixed(3) },
  'total-blocking-time': { name: 'TBT', max: 150, format: inMs },
};
/** For organizers, who wait behind a login. */
const PAINT_MAX_MS = 1800;
const SERVER_MAX_MS = 150;
const HOME_SCRIPT_MAX_KB = 220;
const TAB_SCRIPT_MAX_KB = 180;
const RUNS = 3;
const START_TIMEOUT_SECONDS = 300;

const node = await ensureInstalled();
const executablePath = await ensureBrowser();
const build = await buildWebIfChanged();
if (!build.succeeded) giveUp(build.output);

const [debugPort, port, sandboxPort] = await freePorts(3);
const profileDir = mkdtempSync(path.join(tmpdir(), 'handstamp-browser-'));
// Lighthouse opens its pages in the browser's own profile, where they find the organizer's cookies.
const browser = await chromium.launchPersistentContext(profileDir, {
  executablePath,
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', `--remote-debugging-port=${debugPort}`],
});
let missed = 0;
try {
  await measurePublicPages();
  await measureOrganizerPages();
} finally {
  await browser.close();
  rmSync(profileDir, { recursive: true, force: true });
}
process.exit(missed === 0 ? 0 : 1);

async function measurePublicPages() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'handstamp-lighthouse-'));
  const demo = { PORT: port, SANDBOX_PORT: sandboxPort, HOST: '127.0.0.1', DATA_DIR: dataDir, SEED_DEMO: '1' };
  const server = startNode('src/server/main/main.ts', demo);
  try {
    const output = await untilPrinted(server, 'Handstamp listening on');
    const eventPath = /\/payment\/[\w-]+/.exec(output)?.[0] ?? '';
    const site = `http://localhost:${port}`;
    for (const page of ['/', eventPath, '/find-tickets']) await measurePublicPage(site + page);
    // An order's address is a secret, so search engines are kept out.
    await measurePublicPage(site + (await orderPath(site)), { skipAudits: ['is-crawlable'] });
  } finally {
    await stop(server);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The page of an order that the demo sold, from its email. */
async function orderPath(site) {
  const emails = await (await fetch(`${site}/sandbox/inbox.json`)).json();
  const paths = emails.map(({ text }) => /\/order\/[\w.-]+/.exec(text)?.[0]);
  return paths.find(Boolean) ?? giveUp('The demo emailed no order.');
}

async function measurePublicPage(url, options = {}) {
  const runs = await runLighthouse(url, options);
  const scores = Object.keys(runs[0].categories).map((category) => {
    const points = median(runs.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100)));
    return { isMet: points >= SCORE_MIN, text: `${runs[0].categories[category].title} ${points}` };
  });
  const times = Object.entries(LIMITS).map(([audit, limit]) => resultOf(limit, median(valuesOf(runs, audit))));
  print(new URL(url).pathname, [...scores, ...times]);
}

async function measureOrganizerPages() {
  const server = startNode('bench/harness/serve-organizer.ts');
  try {
    const { site, eventId, cookie } = JSON.parse(await untilPrinted(server, '}\n'));
    await browser.addCookies(cookiesOf(cookie).map((one) => ({ ...one, url: site })));
    const session = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    await measureOrganizerPage(`${site}/profile`, session, HOME_SCRIPT_MAX_KB);
    for (const tab of ['', '/dates', '/guests', '/orders', '/tickets', '/page', '/door', '/money'])
      await measureOrganizerPage(`${site}/events/${eventId}${tab}`, session, TAB_SCRIPT_MAX_KB);
  } finally {
    await stop(server);
  }
}

function cookiesOf(header) {
  return header.split('; ').map((pair) => {
    const [name, ...value] = pair.split('=');
    return { name, value: value.join('=') };
  });
}

async function measureOrganizerPage(url, headers, scriptMaxKb) {
  const onlyAudits = ['first-contentful-paint', 'network-requests'];
  const runs = await runLighthouse(url, { onlyAudits });
  const paint = median(valuesOf(runs, 'first-contentful-paint'));
  const { items } = runs[0].audits['network-requests'].details;
  const own = items.filter((item) => item.url.startsWith(new URL(url).origin));
  const asked = own.filter(
    ({ resourceType, statusCode }) => /Document|Fetch|XHR/.test(resourceType) && statusCode === 200,
  );
  const answers = [];
  for (const item of asked) answers.push(await answerTime(item.url, headers));
  const scripts = own.filter(({ resourceType }) => resourceType === 'Script');
  const bytes = await Promise.all(scripts.map((item) => gzippedSize(item.url, headers)));
  print(new URL(url).pathname, [
    resultOf({ name: 'FCP', max: PAINT_MAX_MS, format: inSeconds }, paint),
    resultOf({ name: `slowest of ${asked.length} answers`, max: SERVER_MAX_MS, format: inMs }, Math.max(...answers)),
    resultOf(
      { name: 'script', max: scriptMaxKb, format: (kb) => `${kb.toFixed(1)} kB` },
      bytes.reduce((sum, size) => sum + size, 0) / 1000,
    ),
  ]);
}

/** Median of several, one after the other, without the browser. */
async function answerTime(url, headers) {
  const times = [];
  for (let count = 0; count < 5; count += 1) {
    const start = performance.now();
    const reply = await fetch(url, { headers });
    await reply.arrayBuffer();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function gzippedSize(url, headers) {
  const reply = await fetch(url, { headers });
  return gzipSync(Buffer.from(await reply.arrayBuffer()), { level: 9 }).length;
}

/** Several times, because a single run varies with the machine. */
async function runLighthouse(url, options) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { lhr } = await lighthouse(url, { port: debugPort, output: 'json', logLevel: 'error', ...options });
    runs.push(lhr);
  }
  return runs;
}

function valuesOf(runs, audit) {
  return runs.map(({ audits }) => audits[audit]?.numericValue ?? Number.POSITIVE_INFINITY);
}

function resultOf({ name, max, format }, value) {
  return { isMet: value <= max, text: `${name} ${format(value)}` };
}

function print(name, results) {
  const failed = results.filter(({ isMet }) => !isMet).length;
  missed += failed;
  console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const { isMet, text } of results) console.log(`     ${isMet ? ' ' : '!'} ${text}`);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function startNode(file, env = {}) {
  return spawn(node, [file], { cwd: root, env: { ...process.env, ...env } });
}

/** Resolves to the output so far. */
function untilPrinted(child, text) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => reject(new Error(`not ready in ${START_TIMEOUT_SECONDS} s:\n${output}`)),
      START_TIMEOUT_SECONDS * 1000,
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (!output.includes(text)) return;
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
