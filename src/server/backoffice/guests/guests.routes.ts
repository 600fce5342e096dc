import type { FastifyInstance } from 'fastify';
import { guestFile, guestPage } from '#contract/app/guests.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { exportGuests } from './export-guests.ts';
import { listGuests } from './list-guests.ts';

export function guestRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, guestPage, async (query, { organizer }) => listGuests(deps, organizer, query));

  mountFile(app, guestFile, 'text/csv', async (query, { organizer }) => exportGuests(deps, organizer, query));
}
