import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/promo-codes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { addPromoCode, editPromoCode, endPromoCode, listPromoCodes } from './edit-promo-codes.ts';

export function promoCodeRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.promoCodes, async ({ eventId }, { organizer }) => ({
    promoCodes: await listPromoCodes(deps, organizer, eventId),
  }));
  mount(app, contract.addPromoCode, (form, { organizer }) => addPromoCode(deps, organizer, form));
  mount(app, contract.editPromoCode, (form, { organizer }) => editPromoCode(deps, organizer, form));
  mount(app, contract.endPromoCode, (input, { organizer }) => endPromoCode(deps, organizer, input));
}
