import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/plans.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listPlans, retirePlan, savePlan } from './edit-plans.ts';
import { setReserve } from './reserve.ts';
import { setPlan } from './set-plan.ts';

export function planRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.adminPlans, () => listPlans(deps));

  mount(app, contract.savePlan, (plan, { admin }) => savePlan(deps, admin, plan));

  mount(app, contract.retirePlan, (change, { admin }) => retirePlan(deps, admin, change));

  mount(app, contract.setPlan, (change, { admin }) => setPlan(deps, admin, change));

  mount(app, contract.setReserve, (change, { admin }) => setReserve(deps, admin, change));
}
