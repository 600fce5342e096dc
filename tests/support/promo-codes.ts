import { addPromoCode, promoCodes } from '#contract/app/sales/promo-codes.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

type Form = Omit<InputOf<typeof addPromoCode>, 'eventId'>;

/** 20% off everything, unless `change` says otherwise. */
export const promoForm = (code: string, change: Partial<Form> = {}): Form => ({
  code,
  kind: 'percent',
  value: 20,
  ...change,
});

/** Returns its id. */
export async function newPromoCode({ visitor, eventId }: Organizer, form: Form): Promise<string> {
  expectOk(await visitor.call(addPromoCode, { eventId, ...form }));
  const { promoCodes: all } = expectOk(await visitor.call(promoCodes, { eventId }));
  return all.find(({ code }) => code === form.code)?.promoCodeId ?? '';
}

interface Organizer {
  visitor: Visitor;
  eventId: string;
}
