import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/admin.ts';
import type { Deps } from '#server/deps.ts';
import { mount } from '#server/http/mount.ts';
import { readOverview } from './read-overview.ts';

export function adminRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.adminOverview, () => readOverview(deps));
}
