import type { FastifyInstance } from 'fastify';
import { adminAlerts } from '#contract/app/alerts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listAlerts } from './list-alerts.ts';

export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, adminAlerts, () => listAlerts(deps));
}
