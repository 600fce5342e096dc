/** The buyer's promo code. What it does to the page is loaded with the first code. */
import { useEffect, useEffectEvent, useState } from 'react';
import type { TicketType } from '#contract/app/events.ts';
import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';
import { storedPromoCode, storePromoCode } from '#web/buyer-storage.ts';
import { loadCode } from '#web/load-code.ts';
import type { CartLine, ShownTicket } from '../cart/cart.ts';
import type { CheckoutPromo } from '../checkout/use-checkout.ts';

type Part = typeof import('./PromoField.tsx');

export interface BuyerPromo {
  /** Null until the buyer asks for it, or a link brings a code. */
  part: Part | null;
  open: () => Promise<void>;
  /** To begin with: of a link, or of an earlier visit. */
  known: string | null;
  applied: AppliedPromoCode | null;
  apply: (code: AppliedPromoCode | null) => void;
  /** Why the last order was not accepted. */
  quote: { msg: string } | null;
}

export function usePromoCode(eventId: string) {
  const [part, setPart] = useState<Part | null>(null);
  const [known, setKnown] = useState<string | null>(null);
  const [applied, setApplied] = useState<AppliedPromoCode | null>(null);
  const [quote, setQuote] = useState<BuyerPromo['quote']>(null);

  const open = async () => setPart(await loadCode(() => import('./PromoField.tsx')));

  function apply(code: AppliedPromoCode | null) {
    storePromoCode(eventId, code?.code ?? null);
    setApplied(code);
    if (!code) setQuote(null);
  }

  const start = useEffectEvent((code: string) => {
    setKnown(code);
    // Without this part, the page sells at its own prices.
    open().catch(() => undefined);
  });
  useEffect(() => {
    const code = new URLSearchParams(window.location.search).get('code') ?? storedPromoCode(eventId);
    if (code) start(code);
  }, [eventId]);

  return {
    promo: { part, open, known, applied, apply, quote } satisfies BuyerPromo,
    ticketsWith: (tickets: readonly TicketType[]): readonly ShownTicket[] =>
      part && applied ? part.ticketsWith(tickets, applied) : tickets,
    /** Null at list prices. */
    centsOf: (lines: readonly CartLine[]): number[] | null => part && applied && part.centsWith(lines, applied),
    forCheckout: (expectedTotalCents: number): CheckoutPromo | null =>
      applied && {
        order: { promoCode: applied.code, expectedTotalCents },
        onQuote: (msg) => setQuote({ msg }),
        onInvalid: () => apply(null),
      },
  };
}
