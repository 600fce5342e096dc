import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/viewing.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { endViewing, viewAs } from './view-as.ts';

export function viewingRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.viewAs, ({ organization }, { admin }) => viewAs(deps, admin, organization));
  mount(app, contract.endViewing, (_input, { organizer }) => endViewing(deps, organizer));
  mount(app, contract.viewing, async (_input, { organizer: { organizationName: organization, viewingUntil } }) => ({
    viewing: viewingUntil && { organization, until: viewingUntil.toISOString() },
  }));
}
