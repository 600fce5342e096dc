import type { FastifyInstance } from 'fastify';
import { eventOverview } from '#contract/app/records/overview.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readEventOverview } from './read-event-overview.ts';

export function overviewRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, eventOverview, (event, { organizer }) => readEventOverview(deps, organizer, event));
}
