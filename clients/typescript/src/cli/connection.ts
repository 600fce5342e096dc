/** Which installation the commands talk to, and with which key: from the environment, or from `handstamp login`. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { NotConnectedError } from './exit-codes.ts';

export interface Connection {
  url: string;
  key: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment first, so that a script never takes the key of the person who runs it by mistake. */
export async function readConnection(env: Environment): Promise<Connection> {
  const { HANDSTAMP_URL: url, HANDSTAMP_KEY: key } = env;
  if (url && key) return { url, key };
  if (url || key) throw new NotConnectedError('Set both HANDSTAMP_URL and HANDSTAMP_KEY');
  const saved = await readFile(fileOf(env), 'utf8').catch(() => null);
  if (saved === null)
    throw new NotConnectedError('Log in with handstamp login, or set HANDSTAMP_URL and HANDSTAMP_KEY');
  return JSON.parse(saved) as Connection;
}

/** Readable for this user only. */
export async function saveConnection(env: Environment, connection: Connection): Promise<string> {
  const file = fileOf(env);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // A file that exists keeps its mode, so it is written again.
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  return file;
}

export const forgetConnection = (env: Environment) => rm(fileOf(env), { force: true });

const fileOf = (env: Environment) =>
  path.join(env['XDG_CONFIG_HOME'] || path.join(env['HOME'] || homedir(), '.config'), 'handstamp', 'connection.json');

/** Reads the key without showing it. Never an argument: other users see those of every process. */
export async function askForKey(input: ReadStream, question: (text: string) => void): Promise<string> {
  if (input.isTTY) question('API key (not shown): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: input.isTTY });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (input.isTTY) question('\n');
  }
}
