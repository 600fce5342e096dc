/** Free tickets, and orders of them that wait for the proof of an address. */
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { readCheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { confirmFreeOrder, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { eventOnSale, expectOk, generalAdmission } from './people.ts';
import type { TestApp } from './test-app.ts';

export const freeTicket = {
  ticketName: 'General admission',
  ticketDescription: 'Come in',
  ticketPrice: 0,
  ticketQuantity: 1_000,
};

export const freeEvent = (app: TestApp) => eventOnSale(app, { tickets: [freeTicket] });

/** A reserved order, as its buyer's browser has it. */
export async function reserve(app: TestApp, eventId: string, quantity = 1) {
  const buyer = app.visitor();
  const reply = await buyer.call(createCheckoutSession, { eventId, cartItems: generalAdmission(quantity) });
  const { id: handle, url } = expectOk(reply);
  return {
    buyer,
    handle,
    url,
    send: (email: string) => buyer.call(sendOrderCode, { handle, email }),
    confirm: (code: string) => buyer.call(confirmFreeOrder, { handle, code }),
    open: (token: string) => app.visitor().call(confirmFreeOrder, { handle, token }),
    read: async () => expectOk(await buyer.call(readCheckoutPage, { handle })),
  };
}
