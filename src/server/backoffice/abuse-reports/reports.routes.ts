import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/abuse-reports.ts';
import { reportPage } from '#messages/operations/abuse-reports.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { operatorOf } from '../admin/record-operator-action.ts';
import { handleReports } from './handle-reports.ts';
import { listReports } from './list-reports.ts';
import { reportEvent } from './report-event.ts';

export function reportRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.reportEvent, async (report, { ip }) => {
    await reportEvent(deps, report, ip);
    return { msg: reportPage.sent };
  });
  mount(app, contract.adminReports, () => listReports(deps));
  mount(app, contract.handleReports, (handled, { admin }) => handleReports(deps, { ...operatorOf(admin), ...handled }));
}
