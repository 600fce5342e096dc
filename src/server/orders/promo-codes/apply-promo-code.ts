import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';
import { isDiscounted, isUnlocked, type PromoCode, promoPrice } from '#domain/sales/promo-codes.ts';
import { publicTicketTypes } from '#server/events/event-columns.ts';
import { publicEventRow, ticketTypeRows } from '#server/events/events.sql.ts';
import { openSuccessors } from '#server/events/open-successors.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { limitGuesses, readPromoCode } from './find-promo-code.ts';

type ApplyDeps = Pick<Deps, 'db' | 'rateLimiter'>;

/** What the code changes for a buyer. Reserves nothing: the checkout prices the cart again. */
export function applyPromoCode(
  deps: ApplyDeps,
  { eventId, code, ip }: { eventId: string; code: string; ip: string },
): Promise<AppliedPromoCode> {
  return limitGuesses(deps, { eventId, ip }, async () => {
    const promo = await readPromoCode(deps.db, { eventId, promoCode: code });
    const tickets = promo?.isValid ? await affectedTypes(deps, eventId, promo) : [];
    if (!promo || tickets.length === 0) throw new AppError('promo.invalid');
    const { id: promoCodeId, kind, value, usesLeft, maxPerOrder } = promo;
    return { promoCodeId, code: promo.code, kind, value, usesLeft, maxPerOrder, tickets };
  });
}

/** Those whose price it lowers, and those that are sold only with it. */
async function affectedTypes(
  { db }: ApplyDeps,
  eventId: string,
  promo: PromoCode,
): Promise<AppliedPromoCode['tickets']> {
  const event = await publicEventRow(db, eventId);
  if (!event) return [];
  const types = await openSuccessors(db, event, await ticketTypeRows(db, [eventId]));
  const affected = types.filter(({ id, priceCents, isHidden }) =>
    isHidden ? isUnlocked(id, promo) : isDiscounted({ ticketTypeId: id, listPriceCents: priceCents }, promo),
  );
  return publicTicketTypes(affected, event.now).map((type, index) => ({
    ...type,
    unitPriceCents: promoPrice(affected[index]?.priceCents ?? 0, promo),
  }));
}
