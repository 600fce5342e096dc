import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type CheckoutPage, readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { freeOrderPage as text } from '#messages/sales/free-orders.ts';
import { call, messageFrom } from '#web/api.ts';

/** The tickets are released about two minutes after the last read. */
const READ_AGAIN_MS = 20_000;

/** The order of a page, read again while it waits for its buyer: another tab or device may confirm it. */
export function useCheckoutPage(handle: string) {
  const [order, setOrder] = useState<CheckoutPage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** Counts returns from the payment page by the browser's Back button, which restores the page as it was left: still opening. */
  const [returns, setReturns] = useState(0);
  /** Meanwhile the step that sends stays. */
  const isSending = useRef(false);

  const read = useCallback(async () => {
    try {
      setOrder(await call(readCheckoutPage, { handle }));
      setProblem(null);
    } catch (error) {
      setProblem(messageFrom(error, text.notLoaded));
    }
  }, [handle]);

  const readIfWaiting = useEffectEvent(() => {
    if (!isSending.current && (!order || order.status === 'open' || order.status === 'paying')) void read();
  });
  useEffect(() => {
    readIfWaiting();
    const timer = setInterval(readIfWaiting, READ_AGAIN_MS);
    const onShown = () => {
      if (!document.hidden) readIfWaiting();
    };
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isSending.current = false;
      setReturns((count) => count + 1);
      void read();
    };
    document.addEventListener('visibilitychange', onShown);
    window.addEventListener('pageshow', onPageShow);
    return () => {
      clearInterval(timer);
      window.removeEventListener('pageshow', onPageShow);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [handle, read]);

  return { order, problem, returns, isSending, read, setOrder };
}
