import type { FastifyInstance } from 'fastify';
import { trackingLinks } from '#contract/app/records/links.ts';
import { eventSales } from '#contract/app/records/sales-report.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listTrackingLinks } from './list-links.ts';
import { readEventSales } from './read-sales.ts';

export function salesRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, eventSales, (input, { organizer }) => readEventSales(deps, organizer, input));
  mount(app, trackingLinks, (input, { organizer }) => listTrackingLinks(deps, organizer, input));
}
