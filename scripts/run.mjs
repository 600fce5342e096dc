/** Runs other programs to completion and returns their output. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Environment for the packages' commands: they run on the pinned Node, which is first in PATH. */
export function withPackages(extra = {}) {
  return {
    ...process.env,
    PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}`,
    ...extra,
  };
}

/**
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, cwd?: string }} options `show`: print to this terminal instead of returning the output
 * @returns {Promise<{ succeeded: boolean, output: string }>}
 */
export function run(program, args, { show = false, env = process.env, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ succeeded: false, output: error.message }));
    child.on('close', (code) => resolve({ succeeded: code === 0, output: output.trim() }));
  });
}

export const secondsSince = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** Exits with a message instead of a stack trace. */
export function giveUp(message) {
  console.error(`\n${message}`);
  process.exit(1);
}
