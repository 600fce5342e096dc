import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/comps.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { withdrawComp } from './withdraw-comp.ts';

export function withdrawalRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.withdrawComp, (input, { organizer }) => withdrawComp(deps, organizer, input));
}
