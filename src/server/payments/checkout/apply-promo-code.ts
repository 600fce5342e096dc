import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';
import { canBeFor, isDiscounted, isUnlocked, type PromoCode } from '#domain/sales/promo-codes.ts';
import { publicTicketTypes } from '#server/events/event-columns.ts';
import { typesOnSale } from '#server/events/page/types-on-sale.ts';
import { openCheckoutsAmong } from '#server/orders/core/open-checkouts.sql.ts';
import { readPromoCode, requirePromoCode, withOwnUses } from '#server/orders/promo-codes/find-promo-code.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { BrowserCheckouts } from './browser-checkouts.ts';

type ApplyDeps = Pick<Deps, 'db' | 'rateLimiter'>;

/** What the code changes for a buyer. Reserves nothing: the checkout prices the cart again. */
export async function applyPromoCode(
  deps: ApplyDeps,
  { eventId, code, ip }: { eventId: string; code: string; ip: string },
  { refs }: Pick<BrowserCheckouts, 'refs'>,
): Promise<AppliedPromoCode> {
  const typed = { eventId, promoCode: code };
  await requirePromoCode(deps, { ...typed, ip });
  // Own uses are added to those that are left now, not to those that were a moment ago.
  const promo = await readPromoCode(deps.db, typed);
  const tickets = promo?.isValid ? await affectedTypes(deps, eventId, promo) : [];
  if (!promo || tickets.length === 0) throw new AppError('promo.invalid');
  const own = refs.filter((ref) => ref.eventId === eventId);
  const open = promo.usesLeft === null ? [] : await openCheckoutsAmong(deps.db, own);
  const { usesLeft } = withOwnUses(
    promo,
    open.flatMap((checkout) => checkout.tickets),
  );
  const { id: promoCodeId, kind, value, maxPerOrder } = promo;
  return { promoCodeId, code: promo.code, kind, value, usesLeft, maxPerOrder, tickets };
}

/** Those whose price it lowers, and those that are sold only with it. */
async function affectedTypes(
  { db }: ApplyDeps,
  eventId: string,
  promo: PromoCode,
): Promise<AppliedPromoCode['tickets']> {
  const { types, now } = await typesOnSale(db, eventId);
  const affected = types.filter((type) => {
    const listed = { ticketTypeId: type.id, listPriceCents: type.priceCents };
    return canBeFor(promo.kind, type) && (isUnlocked(type.id, promo) || isDiscounted(listed, promo));
  });
  return publicTicketTypes(affected, now);
}
