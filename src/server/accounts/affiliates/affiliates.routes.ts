import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/affiliates.ts';
import { codeGenerated } from '#messages/accounts.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { generateCode, listAffiliateCodes } from './affiliate-codes.ts';

export function affiliateRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.affiliateCodes, (_input, { organizer }) => listAffiliateCodes(deps, organizer));

  mount(app, contract.generateCode, async (_input, { organizer }) => {
    await generateCode(deps, organizer);
    return { msg: codeGenerated };
  });
}
