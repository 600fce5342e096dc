/** Runs histories on a copy of the code that lacks a guard. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Edit } from './guards.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPIED = ['src', 'tests', 'migrations', 'scripts'];

export interface RunResult {
  isRed: boolean;
  /** The first error found, or the full output if there is none. */
  output: string;
}

interface HistoryRun {
  seed: number;
  /** Per batch. */
  histories: number;
  /** Run one after the other until one finds an error. */
  batches: number;
}

/** The batches are split between these files; one of them runs here. */
const PARTS = 2;
/** Marks a reported error. A copy that fails to start proves nothing. */
const FOUND = 'repeat: npm run faults';

export async function runHistoriesWithout(
  edits: readonly Edit[],
  { seed, histories, batches }: HistoryRun,
): Promise<RunResult> {
  const copy = copyOfTree();
  try {
    for (const edit of edits) apply(copy, edit);
    const printed = await vitest(copy, {
      FAULTS_SEED: String(seed),
      FAULTS_BATCH: String(histories),
      FAULTS_HISTORIES: String(batches * histories * PARTS),
    });
    const isRed = printed.includes(FOUND);
    const isGreen = printed.includes(`Tests  ${batches} passed`);
    if (!isRed && !isGreen) throw new Error(`the copy did not run its histories:\n${printed.slice(-4000)}`);
    return { isRed, output: /\+ {3}"(.*)"/.exec(printed)?.[1] ?? '' };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyOfTree(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'handstamp-unguarded-'));
  const files = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) cpSync(path.join(ROOT, name), path.join(copy, name));
  for (const folder of COPIED) cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}

function apply(copy: string, { file, find, replace }: Edit): void {
  const place = path.join(copy, file);
  const parts = readFileSync(place, 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`${file} holds the guard ${parts.length - 1} times, not once: ${find}`);
  writeFileSync(place, parts.join(replace));
}

/**
 * Runs one test on a copy without a guard. The output must show why it failed, because a copy that fails to start
 * proves nothing.
 */
export async function testWithout(
  edits: readonly Edit[],
  { file, title }: { file: string; title: string },
): Promise<RunResult> {
  const copy = copyOfTree();
  try {
    for (const edit of edits) apply(copy, edit);
    const printed = await vitest(copy, {}, ['run', file, '-t', title]);
    const ran = /Tests {2}(?:(\d+) failed)?(?: \| )?(?:(\d+) passed)?/.exec(printed);
    if (!ran?.[1] && !ran?.[2]) throw new Error(`the copy did not run its test:\n${printed.slice(-4000)}`);
    return { isRed: ran[1] !== undefined, output: printed };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const HISTORIES = ['run', '--config=tests/faults/vitest.faults.config.ts', 'histories-1', '--bail=1'];

async function vitest(copy: string, options: Record<string, string>, output = HISTORIES): Promise<string> {
  // Keeps this run's settings for its own workers out of the child.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|HANDSTAMP_TEST|TEST$|NODE_ENV$)/.test(name),
  );
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...output], {
    cwd: copy,
    env: { ...Object.fromEntries(inherited), ...options, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  await once(child, 'close');
  return printed.join('');
}
