/** The promo codes of an event, as its organizers set them up. */
import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { type ParsedPromoCode, type PromoCodeInput, parsePromoCode } from '#contract/forms/promo-code-form.ts';
import { normalizeCode } from '#domain/codes.ts';
import { denyAnyEdit } from '#domain/event-schedule.ts';
import { PROMO_CODES_MAX } from '#domain/limits.ts';
import { dollarsOf } from '#domain/money.ts';
import { promoCodeEnded, promoCodeSaved } from '#messages/sales/promo.ts';
import { requireNotSuspended } from '#server/accounts/suspension/suspension.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockOwnEvent, lockTicketTypes } from '#server/events/edit-event.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { isUuid, newId } from '#server/platform/ids.ts';
import {
  insertPromoCode,
  livePromoCodes,
  lockPromoCode,
  promoCodeRows,
  replaceTypes,
  typesOfPromoCode,
  updatePromoCode,
} from './promo-codes.sql.ts';

type EditDeps = Pick<Deps, 'db' | 'clock'>;

export async function listPromoCodes({ db }: Pick<Deps, 'db'>, actor: Actor, eventId: string): Promise<OwnPromoCode[]> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  return (await promoCodeRows(db, eventId)).map((row) => ({
    promoCodeId: row.id,
    code: row.code,
    kind: row.kind,
    // Hundredths either way: of a percent, or of a dollar.
    value: dollarsOf(row.value),
    ticketIds: row.isForAll ? null : row.typeIds,
    maxUses: row.maxUses,
    uses: row.uses,
    maxPerOrder: row.maxPerOrder,
    validFrom: row.validFrom?.toISOString() ?? null,
    validUntil: row.validUntil?.toISOString() ?? null,
    isEnded: row.endedAt !== null,
    discountGiven: dollarsOf(row.discountCents),
  }));
}

export async function addPromoCode(
  deps: EditDeps,
  actor: Actor,
  { eventId, ...form }: PromoCodeInput & { eventId: string },
): Promise<{ msg: string }> {
  await changeEvent(deps, actor, { eventId, action: 'add-promo-code' }, async (tx, event) => {
    const promo = await parsed(tx, event, form, null);
    const { ticketIds, ...columns } = promo;
    const id = newId();
    await insertPromoCode(tx, { ...columns, ...keysOf(promo), eventId, id, createdAt: event.now, endedAt: null });
    await replaceTypes(tx, { eventId, id }, ticketIds);
  });
  return { msg: promoCodeSaved };
}

export async function editPromoCode(
  deps: EditDeps,
  actor: Actor,
  { eventId, promoCodeId, ...form }: PromoCodeInput & { eventId: string; promoCodeId: string },
): Promise<{ msg: string }> {
  await changeEvent(deps, actor, { eventId, action: 'edit-promo-code' }, async (tx, event) => {
    const promo = await parsed(tx, event, form, promoCodeId);
    const stored = await lockLive(tx, eventId, promoCodeId);
    const isAsBefore =
      stored.kind === promo.kind &&
      stored.value === promo.value &&
      sameTypes(await typesOfPromoCode(tx, eventId, stored.id), promo.ticketIds);
    if (stored.uses > 0 && !isAsBefore) throw new AppError('promo.already-used');
    if (promo.maxUses !== null && promo.maxUses < stored.uses)
      throw new AppError('promo.below-uses', { uses: stored.uses });
    const { ticketIds, ...columns } = promo;
    await updatePromoCode(tx, stored, { ...columns, ...keysOf(promo) });
    await replaceTypes(tx, stored, ticketIds);
  });
  return { msg: promoCodeSaved };
}

/** What was reserved with it can still be paid. */
export async function endPromoCode(
  deps: EditDeps,
  actor: Actor,
  { eventId, promoCodeId }: { eventId: string; promoCodeId: string },
): Promise<{ msg: string }> {
  await changeEvent(deps, actor, { eventId, action: 'end-promo-code' }, async (tx, event) => {
    const stored = await lockLive(tx, eventId, promoCodeId);
    await updatePromoCode(tx, stored, { endedAt: event.now });
  });
  return { msg: promoCodeEnded };
}

type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockOwnEvent>>>;

/** Under the event's lock, so that no checkout and no other edit is under way. */
async function changeEvent(
  { db, clock }: EditDeps,
  actor: Actor,
  { eventId, action }: { eventId: string; action: 'add-promo-code' | 'edit-promo-code' | 'end-promo-code' },
  change: (tx: Db, event: LockedEvent) => Promise<void>,
): Promise<void> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  await inTransaction(db, async (tx) => {
    const event = await lockOwnEvent(tx, actor.organizationId, eventId);
    if (!event) throw new AppError('event.not-found');
    await requireNotSuspended(tx, actor.organizationId);
    const denial = denyAnyEdit({ ...event, isPaidOut: event.payoutRequestedAt !== null });
    if (denial) throw new AppError(`edit.${denial}`);
    await change(tx, event);
    await recordAuditEvent(tx, { action, by: actor, subject: eventId, eventId, at: clock.now() });
  });
}

/** @param id of the code that is edited; null for a new one */
async function parsed(tx: Db, event: LockedEvent, form: PromoCodeInput, id: string | null): Promise<ParsedPromoCode> {
  const promo = parsePromoCode(form, event.timezone);
  if ('reason' in promo) throw new AppError('form.invalid', promo);
  const types = await lockTicketTypes(tx, event.id);
  const chosen = types.filter((type) => promo.ticketIds.includes(type.id));
  if (chosen.length < new Set(promo.ticketIds).size) throw new AppError('promo.unknown-type');
  const affected = promo.ticketIds.length > 0 ? chosen : types;
  if (promo.kind === 'amount' && affected.every((type) => type.priceCents < promo.value))
    throw new AppError('promo.amount-too-high');

  const live = await livePromoCodes(tx, event.id, { key: normalizeCode(promo.code), id });
  if (live.isTaken) throw new AppError('promo.code-taken', { code: promo.code });
  if (id === null && live.count >= PROMO_CODES_MAX) throw new AppError('promo.too-many', { max: PROMO_CODES_MAX });
  return { ...promo, ticketIds: [...new Set(promo.ticketIds)] };
}

const keysOf = ({ code, ticketIds }: ParsedPromoCode) => ({
  key: normalizeCode(code),
  isForAll: ticketIds.length === 0,
});

async function lockLive(tx: Db, eventId: string, id: string) {
  const stored = isUuid(id) ? await lockPromoCode(tx, eventId, id) : undefined;
  if (!stored) throw new AppError('promo.not-found');
  if (stored.endedAt) throw new AppError('promo.ended');
  return stored;
}

const sameTypes = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());
