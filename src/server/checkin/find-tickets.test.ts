import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { findTickets, offlineTicketList } from '#contract/app/check-in-devices.ts';
import { requestRefund } from '#contract/app/refunds.ts';

import { sellMany } from '#tests/support/many-guests.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
let strict: TestApp;
withTestApp((opened) => {
  app = opened;
});
withTestApp(
  (opened) => {
    strict = opened;
  },
  { rateLimitScale: 0.1 },
);

describe('a search by the last digits', () => {
  it("returns a ticket's state and check-in without admitting it", async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const codes = codesOf(await buyTickets(app, eventId, generalAdmission(2)));
    const [confirmationNumber = '', other = ''] = codes;
    const lastDigits = confirmationNumber.slice(-4);
    const visitor = await attendantOf(app, eventId, attendantCode);
    const { body: list } = await visitor.call(offlineTicketList, { eventId, pending: 0 });
    const find = async () => (await visitor.call(findTickets, { eventId, lastDigits })).body;

    const valid = {
      ticketName: 'General admission',
      isAddOn: false,
      state: 'valid',
      scannedAt: null,
      scannedBy: null,
    };
    expect(await find()).toEqual({ tickets: expect.arrayContaining([valid]), isMore: false });
    await visitor.call(checkGuest, { eventId, confirmationNumber });
    const now = app.now().getTime();
    const { tickets } = await find();
    expect(tickets).toContainEqual({
      ...valid,
      state: 'scanned',
      scannedAt: expect.any(Number),
      scannedBy: list.device.name,
    });
    expect(Math.abs((tickets[0]?.scannedAt ?? 0) - now)).toBeLessThan(10_000);

    await app.call(requestRefund, { eventId, confirmationCode: other });
    await app.settle();
    const { body } = await visitor.call(findTickets, { eventId, lastDigits: other.slice(-4) });
    expect(body.tickets).toContainEqual({ ...valid, state: 'refunded' });
  });

  it("returns at most twenty of the event's tickets, and tells if there are more", async () => {
    const [event, other] = [await eventOnSale(app), await eventOnSale(app)];
    const sell = async ({ eventId }: typeof event, guests: number) => {
      await sellMany(app.db, eventId, guests);
      await sql`
        update tickets set confirmation_number = (1000000007 + 10000 * right(confirmation_number, 4)::integer)::text
         where event_id = ${eventId}`.execute(app.db);
    };
    await sell(event, 21);
    await sell(other, 20);
    const find = async ({ eventId, attendantCode }: typeof event, lastDigits: string) =>
      (await (await attendantOf(app, eventId, attendantCode)).call(findTickets, { eventId, lastDigits })).body;

    const [more, all] = [await find(event, '0007'), await find(other, '0007')];
    expect([more.tickets.length, more.isMore, all.tickets.length, all.isMore]).toEqual([20, true, 20, false]);
    expect(await find(event, '0008')).toEqual({ tickets: [], isMore: false });
  });

  it.each(['', '123', '12345', '12a4', '%%%%', '____', '１２３４', ' 123', 1234, null, ['1234']])(
    'rejects the digits %j with a message',
    async (lastDigits) => {
      const { eventId, visitor } = await eventOnSale(app);
      const reply = await visitor.send(findTickets, { eventId, lastDigits });
      expect(reply.status).toBe(400);
      expect(reply.body.msg).toBeTruthy();
    },
  );

  it('is rate limited per device and per event', async () => {
    const { eventId, attendantCode } = await eventOnSale(strict);
    const search = async (visitor: Awaited<ReturnType<typeof attendantOf>>) => {
      for (let n = 0; n < 100; n++) {
        const reply = await visitor.call(findTickets, { eventId, lastDigits: String(n).padStart(4, '0') });
        if (reply.status === 200) continue;
        expect(reply).toMatchObject({ status: 429, body: { code: 'rate-limit.exceeded' } });
        return n;
      }
      return null;
    };
    const searches = [];
    for (let n = 0; n < 6; n++) searches.push(await search(await attendantOf(strict, eventId, attendantCode)));

    expect(searches).toEqual([12, 12, 12, 12, 12, 0]);
    const other = await eventOnSale(strict);
    expect((await other.visitor.call(findTickets, { eventId: other.eventId, lastDigits: '0000' })).status).toBe(200);
  });
});
