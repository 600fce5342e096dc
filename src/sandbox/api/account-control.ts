/** `/_sandbox/accounts/{id}`: changes a connected account from outside the API. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { activateAccount, closeAccount, restrictAccount } from '#sandbox/accounts/accounts.ts';
import { type Core, runOperation } from '../core.ts';
import { lockObject, saveObject } from '../objects.ts';
import { resourceMissing } from './errors.ts';
import { parseJsonBody } from './json-body.ts';

const accountChange = z.strictObject({
  status: z.optional(z.enum(['active', 'restricted', 'closed'])),
  bank: z.optional(z.enum(['accepts', 'refuses'])),
});

const changeStatus = { active: activateAccount, restricted: restrictAccount, closed: closeAccount };

/** Register in the control scope, which rejects requests from web pages. */
export function accountControlRoutes(control: FastifyInstance, core: Core): void {
  control.post<{ Params: { id: string } }>('/_sandbox/accounts/:id', ({ params: { id }, body }) => {
    const { status, bank } = parseJsonBody(accountChange, body);
    return runOperation(core, async (ctx) => {
      const account = await lockObject(ctx, 'v2.core.account', id);
      if (!account) throw resourceMissing('account', id);
      if (bank) {
        account.inside.bank = bank;
        await saveObject(ctx, account);
      }
      if (status) await changeStatus[status](ctx, account);
      return account.body;
    });
  });
}
