/** Sums up where the processes of a benchmark spent their time, from the V8 profiles of `--profile`. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = 'HANDSTAMP_BENCH_PROFILES';
const MAX_FUNCTIONS = 25;

/** Makes every child write a profile from now on. Returns the folder. */
export function startProfiling(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-profiles-'));
  process.env[FOLDER] = folder;
  return folder;
}

/** Extra arguments for a child process. */
export function profileArguments(file: string): string[] {
  const folder = process.env[FOLDER];
  if (!folder) return [];
  const name = `${path.basename(file, '.ts')}-${Date.now()}.cpuprofile`;
  return ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}`];
}

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
}

/** Lists, per process, the functions with the most samples while it was busy. */
export function profileReport(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => {
    const profile = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Profile;
    const location = new Map(profile.nodes.map(({ id, callFrame }) => [id, locationOf(callFrame)]));
    const found = new Map<string, number>();
    const busy = profile.samples.map((sample) => location.get(sample) ?? '?').filter((name) => name !== '(idle)');
    for (const name of busy) found.set(name, (found.get(name) ?? 0) + 1);
    const top = [...found].sort(([, a], [, b]) => b - a).slice(0, MAX_FUNCTIONS);
    const share = (count: number, all = busy.length) => `${((100 * count) / all).toFixed(1)} %`.padStart(8);
    const head = `${path.join(folder, file)}: busy${share(busy.length, profile.samples.length)}, of which own time`;
    return ['', head, ...top.map(([name, count]) => `${share(count)}  ${name}`)];
  });
}

function locationOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const file = url.startsWith('file:') ? path.relative('.', fileURLToPath(url)) : url;
  return `${functionName || '(anonymous)'} ${file ? `${file}:${lineNumber + 1}` : ''}`.trim();
}
