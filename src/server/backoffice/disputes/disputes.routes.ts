import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/admin.ts';
import { saveStatement as statement } from '#contract/app/disputes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { operatorOf } from '../admin/record-operator-action.ts';
import { downloadEvidence } from './download-evidence.ts';
import { listDisputes } from './list-disputes.ts';
import { saveStatement } from './save-statement.ts';
import { sendEvidence } from './send-evidence.ts';

export function disputeRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.adminDisputes, () => listDisputes(deps));
  mountFile(app, contract.adminEvidence, 'application/pdf', (of, { admin }) =>
    downloadEvidence(deps, { ...operatorOf(admin), ...of }),
  );
  mount(app, statement, (input, { organizer }) => saveStatement(deps, organizer, input));
  mount(app, contract.sendEvidence, (of, { admin }) => sendEvidence(deps, { ...operatorOf(admin), ...of }));
}
