/** Invariants of orders, tickets and the ledger, read from the operators' SQL file. */
import { readFileSync } from 'node:fs';

const FILE = new URL('../../../../scripts/invariants.sql', import.meta.url);

export interface Invariant {
  name: string;
  /** Returns one row per violation. */
  query: string;
}

export const readInvariants = (): Invariant[] =>
  readFileSync(FILE, 'utf8')
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((query) => query.trim())
    .filter((query) => query !== '')
    .map((query) => ({ name: /select '([\w-]+)' as invariant/.exec(query)?.[1] ?? query, query }));
