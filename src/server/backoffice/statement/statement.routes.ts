import type { FastifyInstance } from 'fastify';
import { statementFile } from '#contract/app/records/workspace.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { readStatementFile } from './statement-file.ts';

export function statementRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, statementFile, 'application/pdf', (query, { organizer }) => readStatementFile(deps, organizer, query));
}
