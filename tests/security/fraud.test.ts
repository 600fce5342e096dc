import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { paymentOf, simulateAtBank } from '#tests/support/money.ts';
import { moneyErrors } from '#tests/support/money-errors.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  eventOnSale,
  expectOk,
  generalAdmission,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

describe('POST /api/webhooks/stripe with a dispute', () => {
  it('does not pay twice a buyer who gets a refund and then disputes the full payment', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const [refunded = '', kept = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(2)));
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: refunded }));
    await app.settle();
    const dispute = await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, eventId) });
    await app.settle();

    const again = await app.call(requestRefund, { eventId, confirmationCode: kept });
    const door = await attendantOf(app, eventId, attendantCode);
    const scans = [refunded, kept].map((confirmationNumber) => door.call(checkGuest, { eventId, confirmationNumber }));
    const statuses = (await Promise.all(scans)).map(({ status }) => status);
    await simulateAtBank(app, `disputes/${dispute.id}`, { become: 'lost' });
    await app.settle();

    expect(again.status).toBe(409);
    expect(statuses).toEqual([409, 409]);
    const { rows } = await sql<{
      state: string;
    }>`select state from tickets where event_id = ${eventId} order by state`.execute(app.db);
    expect(rows).toEqual([{ state: 'refunded' }, { state: 'void' }]);
    expect(await moneyErrors(app)).toEqual([]);
  });
});

describe('POST /api/protected/create-account-link', () => {
  it('gives each organizer a separate payout account, so that one cannot refer the other', async () => {
    const [first, second] = [await onboardedOrganizer(app), await onboardedOrganizer(app)];
    const shared = sql`
      update payout_accounts set account_id = (select account_id from payout_accounts where email = ${first.email})
       where email = ${second.email}`;

    await expect(shared.execute(app.db)).rejects.toThrow('payout_accounts_account_id_key');
  });
});
