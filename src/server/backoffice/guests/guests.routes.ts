import type { FastifyInstance } from 'fastify';
import { guestFile, guestPage } from '#contract/app/guests.ts';
import { comps } from '#contract/app/sales/comps.ts';
import { guestDetails, guestPageEnds, guestRows, guestTable, printedGuests } from '#contract/app/sales/guest-table.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { exportGuests } from './export-guests.ts';
import { printGuests, readGuestDetails, readGuestPageEnds, readGuestRows, readGuestTable } from './guest-table.ts';
import { listComps } from './list-comps.ts';
import { listGuests } from './list-guests.ts';

export function guestRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, guestPage, async (query, { organizer }) => listGuests(deps, organizer, query));

  mount(app, guestRows, async (query, { organizer }) => readGuestRows(deps, organizer, query));

  mount(app, guestPageEnds, async (query, { organizer }) => readGuestPageEnds(deps, organizer, query));

  mount(app, guestTable, async (query, { organizer }) => readGuestTable(deps, organizer, query));

  mount(app, guestDetails, async (query, { organizer }) => readGuestDetails(deps, organizer, query));

  mount(app, printedGuests, async (query, { organizer }) => printGuests(deps, organizer, query));

  mount(app, comps, async (query, { organizer }) => listComps(deps, organizer, query));

  mountFile(app, guestFile, 'text/csv', async (query, { organizer }) => exportGuests(deps, organizer, query));
}
