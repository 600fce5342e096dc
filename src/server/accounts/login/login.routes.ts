import type { FastifyInstance } from 'fastify';
import * as accounts from '#contract/app/accounts.ts';
import * as factors from '#contract/app/factors.ts';
import { loggedOut } from '#messages/accounts.ts';
import { reauthenticate } from '#server/accounts/login/confirm-password.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Cookies } from '#server/platform/http/cookies.ts';
import { xsrfTokenFor } from '#server/platform/http/guards.ts';
import { type Call, mount } from '#server/platform/http/mount.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { askForPasskey } from './ask-for-factor.ts';
import { reauthenticateWithFactor } from './confirm-factor.ts';
import { logIn, logOut } from './log-in.ts';
import { logInWithFactor, logInWithPasskey } from './log-in-with-factor.ts';
import type { Device, NewSession } from './open-session.ts';
import { register } from './register.ts';

export function loginRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, accounts.register, async (form, call) => {
    const { url, session } = await register(deps, { ...form, ...deviceOf(call) });
    if (session) writeSession(session, call.cookies);
    return { url };
  });
  mount(app, accounts.login, async (form, call) => {
    const answer = await logIn(deps, { ...form, ...deviceOf(call) });
    return 'token' in answer ? writeSession(answer, call.cookies) : answer;
  });
  mount(app, factors.loginFactor, async (shown, call) =>
    writeSession(await logInWithFactor(deps, { ...shown, ...deviceOf(call) }), call.cookies),
  );
  mount(app, factors.startPasskeyLogin, async (_input, { ip }) => {
    await consumeLimit(deps.rateLimiter, 'passkey-login', ip);
    return askForPasskey(deps);
  });
  mount(app, factors.passkeyLogin, async (shown, call) =>
    writeSession(await logInWithPasskey(deps, { ...shown, ...deviceOf(call) }), call.cookies),
  );

  mount(app, accounts.logout, async (_input, { cookies }) => {
    await logOut(deps, cookies.credentials());
    cookies.clearSession();
    return { msg: loggedOut };
  });
  mount(app, accounts.reauthenticate, async ({ password }, { organizer, ip }) => {
    await reauthenticate(deps, organizer, { password, ip });
    return {};
  });
  mount(app, factors.reauthenticateWithFactor, async (shown, { organizer }) => {
    await reauthenticateWithFactor(deps, organizer, shown);
    return {};
  });

  function writeSession(session: NewSession, cookies: Cookies) {
    const { token, binding, sessionId, lifetimeSeconds, browserSecret } = session;
    cookies.write('token', token, lifetimeSeconds);
    cookies.write('XSRF-TOKEN', xsrfTokenFor(sessionId, deps.appSecret), lifetimeSeconds);
    if (binding === null) cookies.clear('session');
    else cookies.write('session', binding, lifetimeSeconds);
    if (browserSecret !== null) cookies.writeBrowser(browserSecret);
    return { token };
  }
}

const deviceOf = ({ ip, isFromBrowser, userAgent, cookies }: Call<'public'>): Device => ({
  ip,
  isFromBrowser,
  userAgent,
  browserSecret: cookies.read('browser'),
});
