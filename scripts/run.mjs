/** Running other programs, plainly: to their end, with what they said. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The environment in which the packages' own commands run: on the pinned Node, because it is first in PATH. */
export function withPackages(extra = {}) {
  return {
    ...process.env,
    PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}`,
    ...extra,
  };
}

/**
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv }} options `show`: let it write to this terminal instead of keeping what it says
 * @returns {Promise<{ succeeded: boolean, said: string }>}
 */
export function run(program, args, { show = false, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
    child.on('error', (error) => resolve({ succeeded: false, said: error.message }));
    child.on('close', (code) => resolve({ succeeded: code === 0, said: said.trim() }));
  });
}

export const secondsSince = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** Ends this script with a sentence instead of a stack. */
export function giveUp(sentence) {
  console.error(`\n${sentence}`);
  process.exit(1);
}
