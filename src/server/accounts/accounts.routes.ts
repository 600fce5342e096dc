import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/accounts.ts';
import { accountInfoSaved, loggedOut } from '#messages/accounts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { xsrfTokenFor } from '#server/platform/http/guards.ts';
import { mount } from '#server/platform/http/mount.ts';
import { saveAccountInfo } from './account-info.ts';
import { changeEmail, confirmEmailChange, undoEmailChange } from './change-email.ts';
import { reauthenticate } from './confirm-password.ts';
import { logIn, logOut } from './log-in.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { requireReauthentication } from './policies.ts';
import { register } from './register.ts';
import { resendVerification, verifyEmail } from './verify-email.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.register, (form, { ip }) => register(deps, { ...form, ip }));

  mount(app, contract.login, async (form, { ip, isFromBrowser, userAgent, cookies }) => {
    const session = await logIn(deps, { ...form, ip, isFromBrowser, userAgent });
    const { token, binding, sessionId, lifetimeSeconds } = session;
    cookies.write('token', token, lifetimeSeconds);
    cookies.write('XSRF-TOKEN', xsrfTokenFor(sessionId, deps.appSecret), lifetimeSeconds);
    if (binding === null) cookies.clear('session');
    else cookies.write('session', binding, lifetimeSeconds);
    return { token };
  });

  mount(app, contract.logout, async (_input, { cookies }) => {
    await logOut(deps, cookies.credentials());
    cookies.clearSession();
    return { msg: loggedOut };
  });

  mount(app, contract.reauthenticate, async ({ password }, { organizer, ip }) => {
    await reauthenticate(deps, organizer, { password, ip });
    return {};
  });
  mount(app, contract.prepareExport, async (_input, { organizer }) => {
    requireReauthentication(organizer);
    return {};
  });

  mount(app, contract.verifyEmail, ({ token }, { ip }) => verifyEmail(deps, { token, ip }));
  mount(app, contract.confirmEmailChange, ({ token }, { ip }) => confirmEmailChange(deps, { token, ip }));
  mount(app, contract.undoEmailChange, ({ token }, { ip }) => undoEmailChange(deps, { token, ip }));
  mount(app, contract.forgotPassword, (form, { ip }) => requestPasswordReset(deps, { ...form, ip }));
  mount(app, contract.resetPassword, ({ token, newPassword }, { ip }) =>
    resetPassword(deps, { token, newPassword, ip }),
  );
  mount(app, contract.changeEmail, (form, { organizer }) => changeEmail(deps, organizer, form));

  mount(app, contract.resendVerification, (_input, { organizer }) => resendVerification(deps, organizer));

  mount(app, contract.saveAccountInfo, async (form, { organizer }) => {
    await saveAccountInfo(deps, organizer, form);
    return { msg: accountInfoSaved };
  });
}
