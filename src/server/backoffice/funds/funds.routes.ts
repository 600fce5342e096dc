import type { FastifyInstance } from 'fastify';
import { organizationFunds, publicFunds } from '#contract/app/records/funds.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listFunds, showFunds } from './list-funds.ts';

export function fundsRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, publicFunds, () => showFunds(deps));
  mount(app, organizationFunds, (_, { organizer }) => listFunds(deps, organizer));
}
