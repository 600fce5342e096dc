import type { FastifyInstance } from 'fastify';
import { eventFile } from '#contract/app/records/event-files.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { readEventFile } from './read-event-file.ts';

export function eventFileRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, eventFile, 'text/csv', (input, { organizer }) => readEventFile(deps, organizer, input));
}
