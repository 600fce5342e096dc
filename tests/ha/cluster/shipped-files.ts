/** The files of deploy/ha, with the addresses and folders of this machine. Everything else is used as it is shipped. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../deploy/ha/', import.meta.url);
const DEBIAN_PROGRAMS = '/usr/lib/postgresql/';

export const shippedFile = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

/** @throws if the text lacks one of them */
export function replaced(text: string, replacements: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!result.includes(from)) throw new Error(`The shipped file has no ${from}`);
    result = result.replaceAll(from, to);
  }
  return result;
}

const LISTS = /^\s*(?:hosts:|ETCD_INITIAL_CLUSTER=)/;

/** What the first line of each file asks for: the node's name and its own address. */
export function forNode(text: string, { name, subnet }: { name: string; subnet: string }): string {
  const own = text
    .split('\n')
    .map((line) => (LISTS.test(line) ? line : line.replaceAll('10.0.0.21', `10.0.0.2${name.at(-1)}`)))
    .join('\n');
  return replaced(own.replace(/^(name: |ETCD_NAME=)db1$/m, `$1${name}`), { '10.0.0.': `${subnet}.` });
}

/** PostgreSQL's programs, the newest that Debian installed. */
export function postgresPrograms(): string {
  const [newest] = readdirSync(DEBIAN_PROGRAMS).toSorted((a, b) => Number(b) - Number(a));
  if (!newest) throw new Error('PostgreSQL is missing. On Debian: apt install postgresql');
  return `${DEBIAN_PROGRAMS}${newest}/bin`;
}
