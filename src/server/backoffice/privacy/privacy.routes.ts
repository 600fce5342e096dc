import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/privacy.ts';
import { accountDeleted, organizationDeleted } from '#messages/privacy.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { mountFile } from '#server/platform/http/mount-file.ts';
import { deleteAccount } from './delete-account.ts';
import { deleteOrganization } from './delete-organization.ts';
import { deleteRecords } from './delete-records.ts';
import { exportOrganizer } from './export-organizer.ts';
import { readRecords } from './read-records.ts';
import { requestRecordsLink } from './records-link.ts';

export function privacyRoutes(app: FastifyInstance, deps: Deps): void {
  mountFile(app, contract.myRecordsFile, 'application/json', (_input, { organizer, ip }) =>
    exportOrganizer(deps, organizer, ip),
  );

  mount(app, contract.deleteAccount, async ({ password }, { organizer, ip, cookies }) => {
    await deleteAccount(deps, organizer, { password, ip });
    cookies.clearSession();
    return { msg: accountDeleted };
  });

  mount(app, contract.deleteOrganization, async (_input, { organizer, ip }) => {
    await deleteOrganization(deps, organizer, ip);
    return { msg: organizationDeleted };
  });

  mount(app, contract.requestRecordsLink, (form, { ip }) => requestRecordsLink(deps, { ...form, ip }));
  mount(app, contract.myRecords, ({ token }, { ip }) => readRecords(deps, { token, ip }));
  mount(app, contract.deleteMyRecords, ({ token }, { ip }) => deleteRecords(deps, { token, ip }));
}
