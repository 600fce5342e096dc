import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Quote } from '#contract/app/checkout.ts';
import type { PublicEvent } from '#contract/app/events.ts';
import type { ChangedPage } from '#contract/app/sales/page-changes.ts';
import { checkoutNotLoaded, outage } from '#messages/pages.ts';
import { cartIdOf, noteOpenCheckouts, storeCheckout } from '#web/buyer-storage.ts';
import { codeFrom, messageFrom } from '#web/call-error.ts';
import { hostedPageOf } from '#web/hosted-page.ts';
import { CodeNotLoadedError, loadCode } from '#web/load-code.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import type { CartLine } from '../cart/cart.ts';
import { useReservation } from './use-reservation.ts';

export interface CheckoutPromo {
  order: { promoCode: string; expectedTotalCents: number };
  /** The order costs something else than was shown. */
  onQuote: (quote: Quote | null) => void;
  /** The code is over. */
  onInvalid: () => void;
}

const loadChanged = () => loadCode(() => import('./EventChanged.tsx'));

/**
 * Opens the hosted checkout, once. After a denial or a return, `onStale` reloads the availability. `onReturn`: the buyer came back to
 * this page instance, or another checkout was denied.
 */
export function useCheckout(
  { eventId, pageVersion }: PublicEvent,
  lines: readonly CartLine[],
  { onStale, onReturn, promo }: { onStale: () => void; onReturn: () => void; promo: CheckoutPromo | null },
) {
  const [isOpening, setIsOpening] = useState(false);
  const [hasTooMany, setHasTooMany] = useState(false);
  const [changed, setChanged] = useState<(ChangedPage & Awaited<ReturnType<typeof loadChanged>>) | null>(null);
  const inFlight = useRef(false);

  function reset() {
    inFlight.current = false;
    setIsOpening(false);
  }

  const handleReturn = useEffectEvent(() => {
    reset();
    onReturn();
    onStale();
  });

  const openPaymentPage = ({ id, url }: { id: string; url: string }) => {
    const address = hostedPageOf(url, window.location);
    storeCheckout(id, { eventId, url: address });
    window.location.assign(address);
  };

  const reservation = useReservation(eventId, {
    onPaymentPage(page) {
      setIsOpening(true);
      openPaymentPage(page);
    },
    onReleased() {
      reset();
      onStale();
    },
  });

  // The back/forward cache restores the page in its old state: still opening.
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) handleReturn();
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);

  async function open(agreed = pageVersion) {
    if (inFlight.current || reservation.status || lines.length === 0) return;
    inFlight.current = true;
    setIsOpening(true);
    promo?.onQuote(null);
    setChanged(null);
    try {
      const cartItems = lines.map(({ ticketId, ticketName, ticketPrice, quantity, hasNamedPrice, namedCents }) => ({
        ticketId,
        ticketName,
        ticketPrice,
        quantity,
        ...(hasNamedPrice && { namedPriceCents: namedCents }),
      }));
      const { startCheckout } = await loadCode(() => import('../event-calls.ts'));
      const page = await startCheckout({
        eventId,
        cartId: cartIdOf(eventId),
        cartItems,
        pageVersion: agreed,
        ...promo?.order,
      });
      if (page.changed) {
        setChanged({ ...page.changed, ...(await loadChanged()) });
        reset();
        onStale();
      } else if (page.quote) {
        reset();
        promo?.onQuote(page.quote);
      } else if (page.queue) reservation.start(page.queue.handle);
      else openPaymentPage(page);
    } catch (error) {
      reset();
      if (codeFrom(error) === 'promo.invalid') promo?.onInvalid();
      if (codeFrom(error) === 'checkout.too-many-open') {
        noteOpenCheckouts(true);
        setHasTooMany(true);
        onReturn();
      }
      toast.error(error instanceof CodeNotLoadedError ? checkoutNotLoaded : messageFrom(error, outage));
      onStale();
    }
  }

  return {
    isOpening: isOpening || reservation.status !== null,
    hasTooMany,
    changed,
    open: () => open(),
    goOn: () => open(changed?.pageVersion),
    reservation: reservation.status,
    release: reservation.release,
  };
}
