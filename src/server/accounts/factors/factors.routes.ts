import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/factors.ts';
import { factorList } from '#messages/accounts/factors.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { requireFactor } from './require-factor.ts';
import {
  finishApp,
  finishPasskey,
  listFactors,
  replaceCodes,
  startApp,
  startPasskey,
  takeFactorAway,
} from './set-up-factor.ts';

export function factorRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.factors, (_input, { organizer }) => listFactors(deps, organizer));
  mount(app, contract.setUpApp, (_input, { organizer }) => startApp(deps, organizer));
  mount(app, contract.confirmApp, ({ code }, { organizer }) => finishApp(deps, organizer, code));
  mount(app, contract.setUpPasskey, (_input, { organizer }) => startPasskey(deps, organizer));
  mount(app, contract.addPasskey, (passkey, { organizer }) => finishPasskey(deps, organizer, passkey));
  mount(app, contract.removeFactor, async ({ factorId }, { organizer }) => {
    await takeFactorAway(deps, organizer, factorId);
    return { msg: factorList.removed };
  });
  mount(app, contract.renewRecoveryCodes, (_input, { organizer }) => replaceCodes(deps, organizer));
  mount(app, contract.requireFactor, async ({ isRequired }, { organizer }) => {
    await requireFactor(deps, organizer, isRequired);
    return { msg: isRequired ? factorList.nowRequired : factorList.nowOptional };
  });
}
