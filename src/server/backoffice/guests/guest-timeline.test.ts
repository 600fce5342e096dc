/** What happened to one guest's ticket. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resendOrder } from '#contract/app/checkout.ts';
import { guestDetails, guestRows } from '#contract/app/sales/guest-table.ts';
import { transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('the timeline of a transferred ticket', () => {
  it('has the emails that contained the ticket, so not those to the buyer after a transfer', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    const order = await buyTickets(app, eventId, generalAdmission(2), 'payer@example.com');
    const token = order.details?.token ?? '';
    await app.settle();
    expectOk(await app.call(transferTicket, { token, position: 1, email: 'holder@example.com' }));
    await app.advance({ minutes: 5 });
    expectOk(await app.call(resendOrder, { token }));
    await app.settle();

    const happenedTo = async (address: string) => {
      const { guests } = expectOk(await visitor.call(guestRows, { eventId }));
      const row = guests.find(({ email }) => email === address);
      const { timeline } = expectOk(await visitor.call(guestDetails, { eventId, ticketId: row?.ticketId ?? '' }));
      return timeline.map(({ what }) => what);
    };
    expect(await happenedTo('payer@example.com')).toEqual(['bought', 'emailed', 'emailed']);
    expect(await happenedTo('holder@example.com')).toEqual(['bought', 'emailed', 'transferred']);
  });
});
