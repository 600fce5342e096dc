import type { FastifyInstance } from 'fastify';
import { eventTax } from '#contract/app/records/event-tax.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { readTax } from './read-tax.ts';

export function taxReportRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, eventTax, ({ eventId }, { organizer }) => readTax(deps, organizer, eventId));
}
