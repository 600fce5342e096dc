import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type CheckoutPage, readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { freeOrderPage as text } from '#messages/sales/free-orders.ts';
import { call, messageFrom } from '#web/api.ts';

/** The tickets are released about two minutes after the last read. */
const READ_AGAIN_MS = 20_000;

/** The order of a page, read again while it waits for its buyer: another tab or device may confirm it. */
export function useCheckoutPage(handle: string) {
  const [order, setOrder] = useState<CheckoutPage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const read = useCallback(async () => {
    try {
      setOrder(await call(readCheckoutPage, { handle }));
      setProblem(null);
    } catch (error) {
      setProblem(messageFrom(error, text.notLoaded));
    }
  }, [handle]);

  const readIfWaiting = useEffectEvent(() => {
    if (!order || order.status === 'open') void read();
  });
  useEffect(() => {
    readIfWaiting();
    const timer = setInterval(readIfWaiting, READ_AGAIN_MS);
    const onShown = () => {
      if (!document.hidden) readIfWaiting();
    };
    document.addEventListener('visibilitychange', onShown);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [handle]);

  return { order, problem, read, setOrder };
}
