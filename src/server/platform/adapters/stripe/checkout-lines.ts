/** The lines of a checkout session. Their metadata is enough to rebuild an order that the database lost. */
import type Stripe from 'stripe';
import { isUuid } from '#server/platform/ids.ts';
import type { CheckoutLine } from '#server/platform/ports/payment-processor.ts';
import { expectAnswer, translated } from './stripe-answers.ts';

/** More than an order can have. */
const LINES_MAX = 1000;

export async function readCheckoutLines(stripe: Stripe, sessionId: string): Promise<readonly CheckoutLine[] | null> {
  const items = await translated(() =>
    stripe.checkout.sessions.listLineItems(sessionId, { limit: 100 }).autoPagingToArray({ limit: LINES_MAX }),
  );
  const lines = items.map(lineOf);
  return lines.every((line) => line !== null) ? lines : null;
}

function lineOf(answer: Stripe.LineItem): CheckoutLine | null {
  const item = expectAnswer(answer, 'item', ['id', 'quantity', 'price']);
  const { ticket_type_id: ticketTypeId, promo_code_id: promo, list_price_cents: listPrice } = item.metadata ?? {};
  const unitPriceCents = item.price?.unit_amount;
  if (!ticketTypeId || !isUuid(ticketTypeId) || typeof unitPriceCents !== 'number' || !item.quantity) return null;
  const promoCodeId = promo && isUuid(promo) ? promo : null;
  const listPriceCents = promoCodeId === null ? unitPriceCents : Math.max(unitPriceCents, Number(listPrice) || 0);
  return { ticketTypeId, listPriceCents, unitPriceCents, quantity: item.quantity, promoCodeId };
}
