import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/accounts.ts';
import { accountInfoSaved, loggedOut } from '#messages/accounts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { xsrfTokenFor } from '#server/platform/http/guards.ts';
import { mount } from '#server/platform/http/mount.ts';
import { saveAccountInfo } from './account-info.ts';
import { changeEmail } from './change-email.ts';
import { openEmailLink } from './email-links.ts';
import { logIn, logOut } from './log-in.ts';
import { requestPasswordReset, resetPassword } from './password-reset.ts';
import { register } from './register.ts';
import { resendVerification } from './verify-email.ts';

export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.register, (form, { ip }) => register(deps, { ...form, ip }));

  mount(app, contract.login, async (form, { ip, isFromBrowser, cookies }) => {
    const session = await logIn(deps, { ...form, ip, isFromBrowser });
    const { token, binding, sessionId, lifetimeSeconds } = session;
    cookies.write('token', token, lifetimeSeconds);
    cookies.write('XSRF-TOKEN', xsrfTokenFor(sessionId, deps.appSecret), lifetimeSeconds);
    if (binding === null) cookies.clear('session');
    else cookies.write('session', binding, lifetimeSeconds);
    return { token };
  });

  mount(app, contract.logout, async (_input, { cookies }) => {
    await logOut(deps, { token: cookies.read('token'), binding: cookies.read('session') });
    cookies.clearSession();
    return { msg: loggedOut };
  });

  mount(app, contract.verifyEmail, ({ token }, { ip }) => openEmailLink(deps, { token, ip }));
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
