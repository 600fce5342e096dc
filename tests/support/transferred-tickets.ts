/** Sold tickets, and those that their buyer transferred. */
import { randomUUID } from 'node:crypto';
import { checkGuest } from '#contract/app/check-in.ts';
import { readOrder } from '#contract/app/checkout.ts';
import { readTicket, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { attendantOf, buyTickets, codesOf, emailsTo, eventOnSale, expectOk, generalAdmission } from './people.ts';
import type { TestApp } from './test-app.ts';

let people = 0;
export const newAddress = () => `person-${++people}@example.com`;

export async function sold(app: TestApp, quantity = 1) {
  const event = await eventOnSale(app);
  const { eventId, attendantCode } = event;
  const payer = newAddress();
  const order = await buyTickets(app, eventId, generalAdmission(quantity), payer);
  const token = order.details?.token ?? '';
  return {
    ...event,
    payer,
    token,
    codes: codesOf(order),
    read: async () => expectOk(await app.call(readOrder, { token })),
    transfer: (position = 1, email = newAddress()) => app.call(transferTicket, { token, position, email }),
    atDoor: () => attendantOf(app, eventId, attendantCode),
  };
}

/** The token of the newest link to a ticket in the inbox. */
export async function ticketLinkOf(app: TestApp, email: string): Promise<string> {
  const [token] = (await emailsTo(app, email)).flatMap(({ text }) => /\/ticket\/([\w.-]+)/.exec(text)?.[1] ?? []);
  return token ?? '';
}

/** Transfers the first ticket of an order. */
export async function transferred(app: TestApp, quantity = 1) {
  const order = await sold(app, quantity);
  const holder = newAddress();
  expectOk(await order.transfer(1, holder));
  const ticket = await ticketLinkOf(app, holder);
  const page = expectOk(await app.call(readTicket, { token: ticket }));
  return { ...order, holder, ticket, page, was: order.codes[0] ?? '', code: codesOf(page)[0] ?? '' };
}

export const scan = (device: Awaited<ReturnType<typeof attendantOf>>, eventId: string, confirmationNumber: string) =>
  device.call(checkGuest, { eventId, confirmationNumber, scanId: randomUUID() });
