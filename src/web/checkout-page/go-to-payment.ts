import type { PaymentPage } from '#contract/app/checkout.ts';
import { forgetCheckout, storeCheckout } from '#web/buyer-storage.ts';
import { hostedPageOf } from '#web/hosted-page.ts';

/** Leaves for the payment page, or for the event's page, where its buyer waits for it. */
export function goToPayment(
  eventId: string,
  { handle, page: { id, url, queue } }: { handle: string; page: PaymentPage },
): Promise<never> {
  const address = hostedPageOf(url, window.location);
  // By the session the confirmation page finds the cart that it empties, once.
  if (!queue) {
    storeCheckout(id, { eventId, url: address });
    forgetCheckout(handle);
  }
  window.location.assign(address);
  // The button stays busy until the page is gone.
  return new Promise(() => {});
}
