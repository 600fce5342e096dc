import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { promoCodeForm } from '#contract/forms/promo-code-form.ts';
import type * as contract from '#contract/v1/promo-codes.ts';
import { centsOf } from '#domain/money.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockToEdit } from '#server/events/lock-to-edit.ts';
import {
  addPromoCode,
  editPromoCode,
  endPromoCode,
  listPromoCodes,
} from '#server/orders/promo-codes/edit-promo-codes.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { parseForm } from '#server/platform/http/read-input.ts';
import { withFieldNames } from './field-names.ts';
import { dollars, given, orBlank } from './form-fields.ts';

type WriteDeps = Pick<Deps, 'db' | 'clock'>;
type CodeReply = ReplyOf<typeof contract.createPromoCode>;
type CodeFields = Omit<InputOf<typeof contract.updatePromoCode>, 'event_id' | 'promo_code_id' | 'is_ended'>;

export async function listCodes(
  { db }: Pick<Deps, 'db'>,
  key: KeyHolder,
  eventId: string,
): Promise<ReplyOf<typeof contract.listPromoCodes>> {
  return { data: (await listPromoCodes({ db }, key, eventId)).map((code) => replyOf(code, eventId)) };
}

export async function createCode(
  { db, clock }: WriteDeps,
  key: KeyHolder,
  { event_id: eventId, ...fields }: InputOf<typeof contract.createPromoCode>,
): Promise<CodeReply> {
  rejectOtherValue(fields, fields.kind);
  return inTransaction(db, async (tx) => {
    const deps = { db: tx, clock };
    const { promoCodeId } = await withFieldNames(
      () => addPromoCode(deps, key, { eventId, ...parseForm(promoCodeForm, formOf(fields)) }),
      renamed(fields.kind),
    );
    return readCode(deps, key, { eventId, promoCodeId });
  });
}

export async function updateCode(
  { db, clock }: WriteDeps,
  key: KeyHolder,
  {
    event_id: eventId,
    promo_code_id: promoCodeId,
    is_ended: ends,
    ...fields
  }: InputOf<typeof contract.updatePromoCode>,
): Promise<CodeReply> {
  return inTransaction(db, async (tx) => {
    const deps = { db: tx, clock };
    await authorizeEvent(deps, key, 'event.edit', eventId);
    // What is stored stays so until the commit.
    await lockToEdit(tx, key, eventId);
    const stored = await readCode(deps, key, { eventId, promoCodeId });
    if (Object.keys(fields).length > 0) {
      const { kind = stored.kind } = fields;
      rejectOtherValue(fields, kind);
      const form = formOf({ ...stored, ...fields });
      await withFieldNames(
        () => editPromoCode(deps, key, { eventId, promoCodeId, ...parseForm(promoCodeForm, form) }),
        renamed(kind),
      );
    }
    if (ends) await endPromoCode(deps, key, { eventId, promoCodeId });
    return readCode(deps, key, { eventId, promoCodeId });
  });
}

/** A code has the value of its kind only. */
function rejectOtherValue({ percent, amount_cents: amount }: CodeFields, kind: CodeReply['kind']): void {
  const isAmount = kind === 'amount' || kind === 'fixed';
  if (kind !== 'percent' && typeof percent === 'number')
    throw new AppError('form.invalid', { field: 'percent', reason: 'invalid' });
  if (!isAmount && typeof amount === 'number')
    throw new AppError('form.invalid', { field: 'amount_cents', reason: 'invalid' });
}

async function readCode(
  { db }: Pick<Deps, 'db'>,
  key: KeyHolder,
  { eventId, promoCodeId }: { eventId: string; promoCodeId: string },
): Promise<CodeReply> {
  const found = (await listPromoCodes({ db }, key, eventId)).find((code) => code.promoCodeId === promoCodeId);
  if (!found) throw new AppError('promo.not-found');
  return replyOf(found, eventId);
}

const renamed = (kind: CodeReply['kind']) => ({ rename: { value: kind === 'percent' ? 'percent' : 'amount_cents' } });

const formOf = (code: CodeFields) =>
  given({
    code: code.code,
    kind: code.kind,
    value: code.kind === 'percent' ? orBlank(code.percent) : dollars(code.amount_cents),
    ticketIds: code.ticket_type_ids ?? undefined,
    maxUses: orBlank(code.max_uses),
    maxPerOrder: orBlank(code.max_per_order),
    validFrom: orBlank(code.valid_from),
    validUntil: orBlank(code.valid_until),
  });

const replyOf = (code: OwnPromoCode, eventId: string): CodeReply => ({
  id: code.promoCodeId,
  event_id: eventId,
  code: code.code,
  kind: code.kind,
  percent: code.kind === 'percent' ? code.value : null,
  amount_cents: code.kind === 'amount' || code.kind === 'fixed' ? centsOf(code.value) : null,
  ticket_type_ids: code.ticketIds,
  max_uses: code.maxUses,
  uses: code.uses,
  max_per_order: code.maxPerOrder,
  valid_from: code.validFrom,
  valid_until: code.validUntil,
  is_ended: code.isEnded,
  discount_given_cents: centsOf(code.discountGiven) ?? 0,
});
