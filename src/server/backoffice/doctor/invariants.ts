/** What must always be true of the money: the operator's own file of questions. */
import { readFileSync } from 'node:fs';

const FILE = new URL('../../../../scripts/invariants.sql', import.meta.url);

export interface Invariant {
  name: string;
  /** Answered by no row when all is well. */
  question: string;
}

export const readInvariants = (): Invariant[] =>
  readFileSync(FILE, 'utf8')
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((question) => question.trim())
    .filter((question) => question !== '')
    .map((question) => ({ name: /select '([\w-]+)' as invariant/.exec(question)?.[1] ?? question, question }));
