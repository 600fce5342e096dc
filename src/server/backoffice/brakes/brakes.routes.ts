import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/brakes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { operatorOf } from '../admin/record-operator-action.ts';
import { holdPayout, releasePayout } from './hold-payout.ts';
import { search } from './search.ts';
import { resumeSales, stopSales } from './stop-sales.ts';
import { resumeOrganization, suspendOrganization } from './suspend.ts';

export function brakeRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.adminSearch, (query) => search(deps, query));
  mount(app, contract.stopSales, (brake, { admin }) => stopSales(deps, { ...operatorOf(admin), ...brake }));
  mount(app, contract.resumeSales, (brake, { admin }) => resumeSales(deps, { ...operatorOf(admin), ...brake }));
  mount(app, contract.holdPayout, (brake, { admin }) => holdPayout(deps, { ...operatorOf(admin), ...brake }));
  mount(app, contract.releasePayout, (brake, { admin }) => releasePayout(deps, { ...operatorOf(admin), ...brake }));
  mount(app, contract.suspendOrganization, (brake, { admin }) =>
    suspendOrganization(deps, { ...operatorOf(admin), ...brake }),
  );
  mount(app, contract.resumeOrganization, (brake, { admin }) =>
    resumeOrganization(deps, { ...operatorOf(admin), ...brake }),
  );
}
