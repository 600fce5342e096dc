import { buyTickets, codesOf, eventOnSale, generalAdmission } from './people.ts';
import type { TestApp } from './test-app.ts';

let buyers = 0;

/** An event with sold tickets and their confirmation numbers. */
export async function soldTickets(app: TestApp, quantity = 1) {
  const event = await eventOnSale(app);
  const email = `buyer-${++buyers}@example.com`;
  const order = await buyTickets(app, event.eventId, generalAdmission(quantity), email);
  // The ticket email is sent and all webhooks are processed.
  await app.settle();
  const codes = codesOf(order);
  return { ...event, buyerEmail: email, codes, code: codes[0] ?? '' };
}
