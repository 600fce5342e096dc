import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { checkoutNotLoaded, outage } from '#contract/page-words.ts';
import { cartIdOf, rememberCheckout } from '#web/buyer-memory.ts';
import { messageFrom } from '#web/call-error.ts';
import { hostedPageOf } from '#web/hosted-page.ts';
import { CodeNotLoadedError } from '#web/load-code.ts';
import { toast } from '#web/ui/toast.ts';
import type { CartLine } from '../cart/cart.ts';
import { loadEventCalls } from '../load-event-calls.ts';
import { useHeld } from './use-reservation.ts';

/**
 * Opens the hosted checkout, once. After a refusal, or back from there, `onStale` asks again what is left.
 * `returns` counts how often the buyer came back to this very page.
 */
export function useCheckout(eventId: string, lines: readonly CartLine[], onStale: () => void) {
  const [isOpening, setIsOpening] = useState(false);
  const [returns, setReturns] = useState(0);
  const inFlight = useRef(false);

  function release() {
    inFlight.current = false;
    setIsOpening(false);
  }

  const comeBack = useEffectEvent(() => {
    release();
    setReturns(returns + 1);
    onStale();
  });

  const follow = ({ id, url }: { id: string; url: string }) => {
    const address = hostedPageOf(url, window.location);
    rememberCheckout(id, { eventId, url: address });
    window.location.assign(address);
  };

  const waiting = useHeld(eventId, {
    onPage(page) {
      setIsOpening(true);
      follow(page);
    },
    onOver() {
      release();
      onStale();
    },
  });

  // The back button may bring the page back exactly as it was left: still opening.
  useEffect(() => {
    const onReturn = (event: PageTransitionEvent) => {
      if (event.persisted) comeBack();
    };
    window.addEventListener('pageshow', onReturn);
    return () => window.removeEventListener('pageshow', onReturn);
  }, []);

  async function open() {
    if (inFlight.current || waiting.held || lines.length === 0) return;
    inFlight.current = true;
    setIsOpening(true);
    try {
      const cartItems = lines.map(({ ticketId, ticketName, ticketPrice, quantity }) => ({
        ticketId,
        ticketName,
        ticketPrice,
        quantity,
      }));
      const { startCheckout } = await loadEventCalls();
      const page = await startCheckout({ eventId, cartId: cartIdOf(eventId), cartItems });
      if (page.held) waiting.hold(page.held.handle);
      else follow(page);
    } catch (error) {
      release();
      toast.error(error instanceof CodeNotLoadedError ? checkoutNotLoaded : messageFrom(error, outage));
      onStale();
    }
  }

  return {
    isOpening: isOpening || waiting.held !== null,
    returns,
    open,
    held: waiting.held,
    giveBack: waiting.giveBack,
  };
}
