/** The promo codes of an event, as its organizers set them up. */
import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { type ParsedPromoCode, type PromoCodeInput, parsePromoCode } from '#contract/forms/promo-code-form.ts';
import { normalizeCode } from '#domain/codes.ts';
import { PROMO_CODES_MAX } from '#domain/limits.ts';
import { dollarsOf } from '#domain/money.ts';
import { canBeFor } from '#domain/sales/promo-codes.ts';
import { promoCodeEnded, promoCodeSaved } from '#messages/sales/promo.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { type EventToEdit, lockToEdit } from '#server/events/lock-to-edit.ts';
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
): Promise<{ msg: string; promoCodeId: string }> {
  const id = newId();
  await changeEvent(deps, actor, { eventId, action: 'add-promo-code' }, async (tx, { event, types }) => {
    const promo = parsed(event, form);
    rejectWithoutEffect(promo, types);
    const live = await rejectTaken(tx, eventId, promo, null);
    if (live >= PROMO_CODES_MAX) throw new AppError('promo.too-many', { max: PROMO_CODES_MAX });
    const { ticketIds, ...columns } = promo;
    await insertPromoCode(tx, { ...columns, ...keysOf(promo), eventId, id, createdAt: event.now, endedAt: null });
    await replaceTypes(tx, { eventId, id }, ticketIds);
  });
  return { msg: promoCodeSaved, promoCodeId: id };
}

export async function editPromoCode(
  deps: EditDeps,
  actor: Actor,
  { eventId, promoCodeId, ...form }: PromoCodeInput & { eventId: string; promoCodeId: string },
): Promise<{ msg: string }> {
  await changeEvent(deps, actor, { eventId, action: 'edit-promo-code' }, async (tx, { event, types }) => {
    const promo = parsed(event, form);
    const stored = await lockLive(tx, eventId, promoCodeId);
    const isAsBefore =
      stored.kind === promo.kind &&
      stored.value === promo.value &&
      sameTypes(await typesOfPromoCode(tx, eventId, stored.id), promo.ticketIds);
    if (stored.uses > 0 && !isAsBefore) throw new AppError('promo.already-used');
    if (!isAsBefore) rejectWithoutEffect(promo, types);
    await rejectTaken(tx, eventId, promo, promoCodeId);
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
  await changeEvent(deps, actor, { eventId, action: 'end-promo-code' }, async (tx, { event }) => {
    const stored = await lockLive(tx, eventId, promoCodeId);
    await updatePromoCode(tx, stored, { endedAt: event.now });
  });
  return { msg: promoCodeEnded };
}

/** Under the event's lock, so that no checkout and no other edit is under way. */
async function changeEvent(
  { db, clock }: EditDeps,
  actor: Actor,
  { eventId, action }: { eventId: string; action: 'add-promo-code' | 'edit-promo-code' | 'end-promo-code' },
  change: (tx: Db, locked: EventToEdit) => Promise<void>,
): Promise<void> {
  await authorizeEvent({ db }, actor, 'event.edit', eventId);
  await inTransaction(db, async (tx) => {
    await change(tx, await lockToEdit(tx, actor, eventId));
    await recordAuditEvent(tx, { action, by: actor, subject: eventId, eventId, at: clock.now() });
  });
}

function parsed({ timezone }: EventToEdit['event'], form: PromoCodeInput): ParsedPromoCode {
  const promo = parsePromoCode(form, timezone);
  if ('reason' in promo) throw new AppError('form.invalid', promo);
  return { ...promo, ticketIds: [...new Set(promo.ticketIds)] };
}

/** A code for tickets that it changes nothing of would never be valid. */
function rejectWithoutEffect({ kind, value, ticketIds }: ParsedPromoCode, types: EventToEdit['types']): void {
  const chosen = types.filter((type) => ticketIds.includes(type.id));
  if (chosen.length < ticketIds.length) throw new AppError('promo.unknown-type');
  const fitting = (ticketIds.length > 0 ? chosen : types).filter((type) => canBeFor(kind, type));
  if (fitting.length === 0)
    throw new AppError(kind === 'unlock' ? 'promo.nothing-hidden' : 'promo.nothing-to-discount');
  if (kind === 'amount' && fitting.every(({ priceCents }) => priceCents < value))
    throw new AppError('promo.amount-too-high');
}

/** @param id of the code that is edited. Returns how many there are. */
async function rejectTaken(tx: Db, eventId: string, { code }: ParsedPromoCode, id: string | null): Promise<number> {
  const live = await livePromoCodes(tx, eventId, { key: normalizeCode(code), id });
  if (live.isTaken) throw new AppError('promo.code-taken');
  return live.count;
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
