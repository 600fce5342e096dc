import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/accounts.ts';
import { prepareExport } from '#contract/app/records/exports.ts';
import { accountInfoSaved, passwordReset } from '#messages/accounts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { saveAccountInfo } from './account-info.ts';
import { changeEmail, confirmEmailChange, undoEmailChange } from './change-email.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { requireReauthentication } from './policies.ts';
import { resendVerification, verifyEmail } from './verify-email.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, prepareExport, async (_input, { organizer }) => {
    requireReauthentication(organizer);
    return {};
  });

  mount(app, contract.verifyEmail, ({ token }, { ip }) => verifyEmail(deps, { token, ip }));
  mount(app, contract.confirmEmailChange, ({ token }, { ip }) => confirmEmailChange(deps, { token, ip }));
  mount(app, contract.undoEmailChange, ({ token }, { ip }) => undoEmailChange(deps, { token, ip }));
  mount(app, contract.forgotPassword, (form, { ip }) => requestPasswordReset(deps, { ...form, ip }));
  mount(app, contract.resetPassword, async ({ token, newPassword }, { ip, isFromBrowser, cookies }) => {
    const browser = { ip, isFromBrowser, browserSecret: cookies.read('browser') };
    const { browserSecret } = await resetPassword(deps, { token, newPassword, ...browser });
    if (browserSecret !== null) cookies.writeBrowser(browserSecret);
    return passwordReset;
  });
  mount(app, contract.changeEmail, (form, { organizer }) => changeEmail(deps, organizer, form));

  mount(app, contract.resendVerification, (_input, { organizer }) => resendVerification(deps, organizer));

  mount(app, contract.saveAccountInfo, async (form, { organizer }) => {
    await saveAccountInfo(deps, organizer, form);
    return { msg: accountInfoSaved };
  });
}
