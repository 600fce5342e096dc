import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/security.ts';
import { passwordChange, sessionList } from '#messages/security.ts';
import { commonPasswords } from '#server/accounts/deny-password.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { changePassword } from './change-password.ts';
import { logOutPerson } from './log-out-person.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';

export function securityRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.changePassword, async ({ password, newPassword }, { organizer, ip }) => {
    await changePassword(deps, organizer, { password, newPassword, ip });
    return { msg: passwordChange.done };
  });
  mount(app, contract.commonPasswords, async () => ({ passwords: commonPasswords }));

  mount(app, contract.sessions, (_input, { organizer }) => listSessions(deps, organizer));
  mount(app, contract.endSession, async ({ sessionId }, { organizer }) => {
    await endSession(deps, organizer, sessionId);
    return { msg: sessionList.ended };
  });
  mount(app, contract.endOtherSessions, async (_input, { organizer }) => {
    await endOtherSessions(deps, organizer);
    return { msg: sessionList.othersEnded };
  });
  mount(app, contract.endSessions, ({ email }, { admin }) => logOutPerson(deps, admin, email));
}
