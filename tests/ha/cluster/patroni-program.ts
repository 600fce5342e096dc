/** Which Patroni the tests run: `PATRONI`, or the one in PATH. */
import { execFileSync } from 'node:child_process';

/** Earlier ones lost acknowledged orders when a primary froze and its network was cut. */
const OLDEST = 4;

export interface PatroniProgram {
  command: readonly [program: string, ...args: string[]];
  version: string;
}

export function findPatroni(setting = process.env['PATRONI'] || 'patroni'): PatroniProgram {
  const command: PatroniProgram['command'] = setting.endsWith('.py') ? ['/usr/bin/python3', setting] : [setting];
  const version = versionOf(command);
  if (!isSafe(version)) {
    throw new Error(`Patroni ${version} can lose orders in a fail-over. Use 4.0 or newer: Debian 13 has it.`);
  }
  return { command, version };
}

export const isSafe = (version: string): boolean => Number.parseInt(version, 10) >= OLDEST;

function versionOf([program, ...args]: PatroniProgram['command']): string {
  try {
    const printed = execFileSync(program, [...args, '--version'], { encoding: 'utf8' });
    return printed.trim().split(' ').at(-1) ?? '';
  } catch {
    throw new Error(
      'Patroni is missing. On Debian 13: apt install patroni. Elsewhere: PATRONI=/path/to/patroni.py of version 4.0 or newer.',
    );
  }
}
