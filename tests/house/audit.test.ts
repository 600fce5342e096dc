/** The list of audited actions is complete: each is recorded somewhere, and nothing else is. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditActions } from '#domain/accounts/audit-actions.ts';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

const RECORDS = /\brecord(?:AuditEvent|OperatorAction)\(/;

/** The codes in the files that record audit events. */
async function writtenCodes(): Promise<Set<string>> {
  const paths = (await filesOf(['src/server/**/*.ts'])).filter((path) => !path.endsWith('.test.ts'));
  const sources = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')));
  const quoted = sources
    .filter((source) => RECORDS.test(source))
    .flatMap((source) => [...source.matchAll(/'([a-z-]+)'/g)]);
  return new Set(quoted.map(([, code = '']) => code));
}

describe('The audited actions', () => {
  it('are each recorded by a use case [AUDIT-1]', async () => {
    const written = await writtenCodes();

    expect(Object.keys(auditActions).filter((action) => !written.has(action))).toEqual([]);
  });
});
