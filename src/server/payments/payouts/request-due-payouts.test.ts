import { beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '#contract/app/audit.ts';
import { requestPayout, setAutomaticPayouts } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { fillBalance } from '#tests/support/disputes.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { movementsAtStripe, openPayout } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, logInAgain, verifiedOrganizer } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { requestDuePayouts } from './request-due-payouts.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

beforeAll(() => fillBalance(app));

const SEAT = { ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 };
const seats = (quantity: number) => [{ ticketName: 'Seat', quantity }];

type Event = Awaited<ReturnType<typeof soldEvent>>;

async function soldEvent({ isAutomatic = true } = {}) {
  const event = await eventOnSale(app, { tickets: [SEAT] });
  const codes = codesOf(await buyTickets(app, event.eventId, seats(3)));
  if (isAutomatic) expectOk(await event.visitor.call(setAutomaticPayouts, { isOn: true }));
  return { ...event, codes };
}

async function settle(event: Event): Promise<void> {
  await openPayout(app, event);
  await logInAgain(event);
}

const transfersOf = async ({ eventId }: Event) => (await movementsAtStripe(app, 'transfer', eventId)).length;

describe('automatic payouts', () => {
  it('are requested once the event has settled, and only where they are on [PAY-4]', async () => {
    const [off, event] = [await soldEvent({ isAutomatic: false }), await soldEvent()];
    await requestDuePayouts(app.deps);
    expect(await transfersOf(event)).toBe(0);
    await settle(event);

    await requestDuePayouts(app.deps, { pageSize: 1 });
    await requestDuePayouts(app.deps);

    expect([await transfersOf(event), await transfersOf(off)]).toEqual([1, 0]);
    const { entries } = expectOk(await event.visitor.call(auditLog, { action: 'request-payout' }));
    expect(entries).toMatchObject([{ actorKind: 'job', actor: null }]);
    expectOk(await event.visitor.call(setAutomaticPayouts, { isOn: false }));
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('wait for what denies them, and keep no other waiting [PAY-4]', async () => {
    const [waiting, other] = [await soldEvent(), await soldEvent()];
    await settle(waiting);
    // The other one ends a moment later.
    await app.advance({ minutes: 5 });
    const { organizationId } = await actorOf(app.db, waiting.email);
    // As after a password was reset by email.
    await app.db
      .updateTable('payoutAccounts')
      .set({ confirmedAt: null })
      .where('organizationId', '=', organizationId)
      .execute();

    await requestDuePayouts(app.deps);
    expect([await transfersOf(waiting), await transfersOf(other)]).toEqual([0, 1]);

    await app.db
      .updateTable('payoutAccounts')
      .set({ confirmedAt: app.now() })
      .where('organizationId', '=', organizationId)
      .execute();
    await requestDuePayouts(app.deps);
    expect(await transfersOf(waiting)).toBe(1);
  });

  it('pay once if the button is pressed at the same time', async () => {
    const event = await soldEvent();
    await settle(event);

    const { asked } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', event.eventId).select('id').forUpdate().execute();
      const asked = [event.visitor.call(requestPayout, { eventId: event.eventId }), requestDuePayouts(app.deps)];
      await app.untilBlocked(2);
      return { asked };
    });
    await Promise.all(asked);

    expect(await transfersOf(event)).toBe(1);
  });

  it('do not pay what was refunded in time', async () => {
    const event = await soldEvent();
    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: event.codes[0] ?? '' }));
    await app.settle();
    await settle(event);

    await requestDuePayouts(app.deps);

    const [transfer] = await movementsAtStripe(app, 'transfer', event.eventId);
    // Two seats of $40, less 2 × (2% + $0.75) and $15.
    expect(transfer?.amount).toBe(61_90);
  });

  it('are turned on by those who may request payouts, with an account', async () => {
    const event = await eventOnSale(app);
    const { visitor } = await newMember(app, event, 'editor');
    const newcomer = await verifiedOrganizer(app);

    expect((await visitor.call(setAutomaticPayouts, { isOn: true })).body).toMatchObject({ code: 'auth.role-denied' });
    expect((await newcomer.visitor.call(setAutomaticPayouts, { isOn: true })).body).toMatchObject({
      code: 'payout-account.no-payout-account',
    });
  });
});
