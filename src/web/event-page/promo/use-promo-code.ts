/** The buyer's promo code. What it does to the page is loaded with the first code. */
import { useEffect, useEffectEvent, useState } from 'react';
import type { Quote } from '#contract/app/checkout.ts';
import type { TicketType } from '#contract/app/events.ts';
import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';
import { checkoutNotLoaded } from '#messages/pages.ts';
import { storedPromoCode, storePromoCode } from '#web/buyer-storage.ts';
import { loadCode } from '#web/load-code.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import type { CartLine, ShownTicket } from '../cart/cart.ts';
import type { CheckoutPromo } from '../checkout/use-checkout.ts';
import type { BuyerPromo } from './buyer-promo.ts';

const loadPart = () => loadCode(() => import('./PromoField.tsx'));
type Part = Awaited<ReturnType<typeof loadPart>>;

export function usePromoCode(eventId: string) {
  const [part, setPart] = useState<Part | null>(null);
  const [known, setKnown] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const [applied, setApplied] = useState<AppliedPromoCode | null>(null);
  const [quote, setQuote] = useState<Quote | null>(null);

  async function open(code: string | null = null) {
    const loaded = await loadPart();
    // Together: an update in an effect of hydration can come later, and the field applies what it is mounted with.
    setKnown(code);
    setPart(loaded);
  }
  const settle = () => setPending(false);

  function apply(code: AppliedPromoCode | null) {
    storePromoCode(eventId, code?.code ?? null);
    setApplied(code);
  }

  const start = useEffectEvent((code: string) => {
    setPending(true);
    // A reload tries again, whatever fails.
    storePromoCode(eventId, code);
    open(code).catch(() => {
      settle();
      toast.error(checkoutNotLoaded);
    });
  });
  useEffect(() => {
    const code = takeFromAddress() ?? storedPromoCode(eventId);
    if (code) start(code);
  }, [eventId]);

  return {
    /** Null until the buyer asks for it, or a link brings a code. */
    part,
    open,
    promo: { known, applied, apply, settle, quote } satisfies BuyerPromo,
    /** A known code is not applied yet, so the prices may change. */
    isPending,
    ticketsWith: (tickets: readonly TicketType[]): readonly ShownTicket[] =>
      part && applied ? part.ticketsWith(tickets, applied) : tickets,
    /** Null at list prices. */
    centsOf: (lines: readonly CartLine[]): number[] | null => part && applied && part.centsWith(lines, applied),
    forCheckout: (expectedTotalCents: number): CheckoutPromo | null =>
      applied && {
        order: { promoCode: applied.code, expectedTotalCents },
        onQuote: setQuote,
        onInvalid: () => apply(null),
      },
  };
}

/** Removes it, so that neither a reload nor a shared link brings it back. */
function takeFromAddress(): string | null {
  const address = new URL(window.location.href);
  const code = address.searchParams.get('code');
  if (code === null) return null;
  address.searchParams.delete('code');
  window.history.replaceState(window.history.state, '', address);
  return code;
}
