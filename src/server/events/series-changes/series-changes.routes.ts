import type { FastifyInstance } from 'fastify';
import { editEvent } from '#contract/app/events.ts';
import { publishEvent } from '#contract/app/sales/event-life.ts';
import * as contract from '#contract/app/sales/series-changes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { cancelSeries } from './cancel-series.ts';
import { editOneEvent, editSeries, publishOneEvent } from './edit-series.ts';
import { readSeries } from './read-series.ts';

export function seriesChangeRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.eventSeries, ({ eventId }, { organizer }) => readSeries(deps, organizer, eventId));

  mount(app, editEvent, (edit, { organizer }) => editOneEvent(deps, organizer, edit));

  mount(app, publishEvent, (draft, { organizer }) => publishOneEvent(deps, organizer, draft));

  mount(app, contract.editSeries, (edit, { organizer }) => editSeries(deps, organizer, edit));

  mount(app, contract.cancelSeries, (date, { organizer }) => cancelSeries(deps, organizer, date));
}
