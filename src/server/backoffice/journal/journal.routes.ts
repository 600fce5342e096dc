import type { FastifyInstance } from 'fastify';
import { journalFile } from '#contract/app/records/journal.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { readJournalFile } from './read-journal-file.ts';

export function journalRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, journalFile, 'text/csv', (query, { organizer }) => readJournalFile(deps, organizer, query));
}
