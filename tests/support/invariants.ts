/** What must always be true of the money: the operator's own file of questions, asked of a test's database. */
import { readFileSync } from 'node:fs';
import { CompiledQuery } from 'kysely';
import type { Db } from '#server/database.ts';

const FILE = new URL('../../scripts/invariants.sql', import.meta.url);

interface Finding {
  invariant: string;
  subject: string;
  found: string | null;
}

export interface Invariant {
  name: string;
  question: string;
}

export const invariants: readonly Invariant[] = readFileSync(FILE, 'utf8')
  .replaceAll(/^--.*$/gm, '')
  .split(/;\s*$/m)
  .map((question) => question.trim())
  .filter((question) => question !== '')
  .map((question) => ({ name: /select '([\w-]+)' as invariant/.exec(question)?.[1] ?? question, question }));

/** One line for each thing that is wrong; none when all is well. */
export async function brokenInvariants(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const { question } of invariants) {
    const { rows } = await db.executeQuery<Finding>(CompiledQuery.raw(question));
    found.push(...rows.map((row) => `${row.invariant}: ${row.subject}: ${row.found}`));
  }
  return found;
}
