import type { FastifyInstance } from 'fastify';
import { offer } from '#contract/app/plans.ts';
import {
  eventCard,
  eventFrame,
  eventMoney,
  eventRows,
  pastVenues,
  payoutList,
} from '#contract/app/records/workspace.ts';
import { seriesToCancel } from '#contract/app/sales/series-changes.ts';
import { readOffer } from '#server/backoffice/offer/read-offer.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listAllPayouts } from './list-all-payouts.ts';
import { listEventRows } from './list-event-rows.ts';
import { listPastVenues } from './list-past-venues.ts';
import { readCard, readFrame, readMoney } from './read-frame.ts';
import { readSeriesToCancel } from './read-series-to-cancel.ts';

export function workspaceRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, offer, () => readOffer(deps.db));

  mount(app, eventRows, (query, { organizer }) => listEventRows(deps, organizer, query));

  mount(app, pastVenues, (_query, { organizer }) => listPastVenues(deps, organizer));

  mount(app, eventFrame, (query, { organizer }) => readFrame(deps, organizer, query));

  mount(app, eventCard, (query, { organizer }) => readCard(deps, organizer, query));

  mount(app, seriesToCancel, ({ eventId }, { organizer }) => readSeriesToCancel(deps, organizer, eventId));

  mount(app, payoutList, (query, { organizer }) => listAllPayouts(deps, organizer, query));

  mount(app, eventMoney, (query, { organizer }) => readMoney(deps, organizer, query));
}
