/** Takes over the cart of a frame, and starts its checkout. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { PublicEvent } from '#contract/app/events.ts';
import type { ChangedPage } from '#contract/app/sales/page-changes.ts';
import { checkoutNotLoaded, outage } from '#messages/pages.ts';
import { cartIdOf, storeCart, storeCheckout, storedCart } from '#web/buyer-storage.ts';
import { messageFrom } from '#web/call-error.ts';
import { hostedPageOf } from '#web/hosted-page.ts';
import { CodeNotLoadedError, loadCode } from '#web/load-code.ts';
import { cartOfAddress, type HandedCart } from './cart-address.ts';
import { isFrameOf, linesOf, type OrderLine, storedLines, totalOf } from './taken-over-lines.ts';

interface TakenOver {
  event: PublicEvent;
  lines: readonly OrderLine[];
  totalCents: number;
  /** Something else is for sale, or at another price, than the website showed. */
  differs: boolean;
  /** Of the page that the buyer saw. */
  pageVersion: number;
}

const loadCalls = () => loadCode(() => import('../event-calls.ts'));

export function useTakenOverCart(eventId: string) {
  const navigate = useNavigate();
  const [taken, setTaken] = useState<TakenOver | null>(null);
  const [isOpening, setIsOpening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [changed, setChanged] = useState<ChangedPage | null>(null);
  const handed = useRef<HandedCart | null>(null);

  async function takeOver() {
    handed.current = cartOfAddress(window.location.hash) ?? handed.current;
    const cart = handed.current;
    setProblem(null);
    try {
      const event = await (await loadCalls()).readEvent(eventId);
      if ('msg' in event) return setProblem(event.msg);
      const lines = cart ? linesOf(cart.items, event) : storedLines(storedCart(eventId), event);
      if (cart)
        storeCart(
          eventId,
          lines.map(({ ticket, ...item }) => ({ ticketName: ticket.ticketName, ...item })),
        );
      // Only once the cart is stored, so that a reload finds it. After it, neither a reload nor a copied address starts another checkout.
      window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
      if (cart?.waits) return void navigate(`/payment/${eventId}${window.location.search}`, { replace: true });
      const totalCents = totalOf(lines);
      const differs = cart !== null && (lines.length < cart.items.length || totalCents !== cart.totalCents);
      const next = { event, lines, totalCents, differs, pageVersion: cart?.pageVersion ?? event.pageVersion };
      setTaken(next);
      if (cart && !differs && isFrameOf(eventId, document.referrer)) await open(next, next.pageVersion);
    } catch (error) {
      setProblem(textOf(error));
    }
  }

  async function open({ lines }: TakenOver, pageVersion: number) {
    setIsOpening(true);
    setProblem(null);
    setChanged(null);
    try {
      const cartItems = lines.map(({ ticket: { ticketId, ticketName, ticketPrice }, quantity, namedCents }) => ({
        ticketId,
        ticketName,
        ticketPrice,
        quantity,
        ...(namedCents !== undefined && { namedPriceCents: namedCents }),
      }));
      const { startCheckout } = await loadCalls();
      const page = await startCheckout({ eventId, cartId: cartIdOf(eventId), cartItems, pageVersion });
      if (page.changed) {
        setChanged(page.changed);
        return setIsOpening(false);
      }
      const address = hostedPageOf(page.url, window.location);
      // With a queue, it is the event's page, which shows the buyer's place in it.
      if (!page.queue) storeCheckout(page.id, { eventId, url: address });
      window.location.assign(address);
    } catch (error) {
      setProblem(textOf(error));
      setIsOpening(false);
    }
  }

  const begin = useEffectEvent(() => void takeOver());
  useEffect(() => {
    const take = () => begin();
    take();
    // Another cart for this page changes only the fragment.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);

  // The back/forward cache restores the page in its old state: still opening.
  useEffect(() => {
    const onPageShow = (shown: PageTransitionEvent) => {
      if (shown.persisted) setIsOpening(false);
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, []);

  return {
    taken,
    isOpening,
    problem,
    changed,
    retry: () => void takeOver(),
    /** Of an event that has changed since, as it is now. */
    open: () => taken && void open(taken, changed?.pageVersion ?? taken.pageVersion),
  };
}

const textOf = (error: unknown) =>
  error instanceof CodeNotLoadedError ? checkoutNotLoaded : messageFrom(error, outage);
