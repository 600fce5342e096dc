import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/admission.ts';
import { requestRefund } from '#contract/refunds.ts';
import { whatDoesNotAddUp } from '#tests/support/adds-up.ts';
import { bringAbout, paymentOf } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  eventOnSale,
  expectOk,
  generalAdmission,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import { withWorld } from '#tests/support/with-world.ts';
import type { World } from '#tests/support/world.ts';

let world: World;
withWorld((opened) => {
  world = opened;
});

describe('POST /api/webhooks/stripe with a dispute', () => {
  it('pays nobody twice who had a ticket refunded and then has the bank take all of it back', async () => {
    const { eventId, attendantCode } = await eventOnSale(world);
    const [refunded = '', kept = ''] = codesOf(await buyTickets(world, eventId, generalAdmission(2)));
    expectOk(await world.call(requestRefund, { eventId, confirmationCode: refunded }));
    await world.settle();
    const dispute = await bringAbout(world, 'disputes', { payment_intent: await paymentOf(world, eventId) });
    await world.settle();

    const again = await world.call(requestRefund, { eventId, confirmationCode: kept });
    const door = await attendantOf(world, eventId, attendantCode);
    const scans = [refunded, kept].map((confirmationNumber) => door.call(checkGuest, { eventId, confirmationNumber }));
    const statuses = (await Promise.all(scans)).map(({ status }) => status);
    await bringAbout(world, `disputes/${dispute.id}`, { become: 'lost' });
    await world.settle();

    expect(again.status).toBe(409);
    expect(statuses).toEqual([409, 409]);
    const { rows } = await sql<{
      state: string;
    }>`select state from tickets where event_id = ${eventId} order by state`.execute(world.db);
    expect(rows).toEqual([{ state: 'refunded' }, { state: 'void' }]);
    expect(await whatDoesNotAddUp(world)).toEqual([]);
  });
});

describe('POST /api/protected/create-account-link', () => {
  it('gives no two organizers one payout account, by which one could refer the other', async () => {
    const [first, second] = [await onboardedOrganizer(world), await onboardedOrganizer(world)];
    const shared = sql`
      update payout_accounts set account_id = (select account_id from payout_accounts a join users u on u.id = a.user_id where u.email = ${first.email})
       where user_id = (select id from users where email = ${second.email})`;

    await expect(shared.execute(world.db)).rejects.toThrow('payout_accounts_account_id_key');
  });
});
