import type { FastifyInstance } from 'fastify';
import { addDates as contract } from '#contract/app/sales/event-dates.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { addDates } from './add-dates.ts';

export function seriesRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract, async (input, { organizer }) => addDates(deps, organizer, input));
}
