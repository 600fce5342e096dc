/** `/_sandbox/accounts/{id}`: what happens to a connected account without anybody calling the API. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { activateAccount, closeAccount, restrictAccount } from '../accounts.ts';
import { asPage, type Core } from '../core.ts';
import { lockObject, saveObject } from '../objects.ts';
import { noSuch } from './errors.ts';
import { readBody } from './json-body.ts';

const fate = z.strictObject({
  status: z.optional(z.enum(['active', 'restricted', 'closed'])),
  bank: z.optional(z.enum(['accepts', 'refuses'])),
});

const become = { active: activateAccount, restricted: restrictAccount, closed: closeAccount };

/** Goes into the scope that keeps web pages out. */
export function accountControlRoutes(control: FastifyInstance, core: Core): void {
  control.post<{ Params: { id: string } }>('/_sandbox/accounts/:id', ({ params: { id }, body }) => {
    const { status, bank } = readBody(fate, body);
    return asPage(core, async (work) => {
      const account = await lockObject(work, 'v2.core.account', id);
      if (!account) throw noSuch('account', id);
      if (bank) {
        account.inside.bank = bank;
        await saveObject(work, account);
      }
      if (status) await become[status](work, account);
      return account.body;
    });
  });
}
