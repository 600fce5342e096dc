import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { adminActionItems } from '#contract/app/action-items.ts';
import { adminSearch, holdPayout, releasePayout } from '#contract/app/brakes.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { fillBalance } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { clearFaults, movementsAtStripe, openPayout, planFault } from '#tests/support/money.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { buyTickets, emailsTo, eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

const note = 'We are checking a report.';
const onHold = { status: 409, body: errorBody('payout.on-hold', { reason: note }) };

const act = async (endpoint: typeof holdPayout, eventId: string) =>
  expectOk(await (await newOperator(app)).call(endpoint, { eventId, note }));
const hold = (eventId: string) => act(holdPayout, eventId);
const release = (eventId: string) => act(releasePayout, eventId);

/** One order per quantity, at $40.00 a seat. */
async function soldEvent(...quantities: number[]) {
  const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
  const event = await eventOnSale(app, { tickets });
  for (const quantity of quantities) await buyTickets(app, event.eventId, [{ ticketName: 'Seat', quantity }]);
  await app.settle();
  return { ...event, request: () => event.visitor.call(requestPayout, { eventId: event.eventId }) };
}

const transfersOf = async (eventId: string) =>
  (await movementsAtStripe(app, 'transfer', eventId)).map(({ amount }) => amount);

describe('a payout on hold', () => {
  it('is denied with the reason, and paid to the cent once released [BRAKE-2 EMAIL-10]', async () => {
    const event = await soldEvent(3);
    const { eventId, visitor, email, request } = event;
    await hold(eventId);
    await app.settle();
    expect(expectOk(await visitor.call(profile, {})).events[0]?.payout).toMatchObject({ hold: { reason: note } });
    await openPayout(app, event);

    expect(await request()).toMatchObject(onHold);
    await sendWaitingPayouts(app.deps);
    expect(await transfersOf(eventId)).toEqual([]);

    await release(eventId);
    expect(await request()).toMatchObject({ status: 200, body: { totalPayout: 100.35 } });
    expect(await transfersOf(eventId)).toEqual([100_35]);
    const emails = (await emailsTo(app, email)).filter(({ text }) => text.includes(note));
    for (const { text } of emails) expect(text).toContain(`${app.publicUrl}/events/${eventId}/money`);
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Basement Brass: your payout is no longer on hold',
      'Basement Brass: your payout is on hold',
    ]);
  });

  it('is listed until it is released, and emails once each time [BRAKE-2]', async () => {
    const { eventId, email } = await soldEvent();
    const operator = await newOperator(app);
    const listed = async () => expectOk(await operator.call(adminSearch, {})).events;

    await hold(eventId);
    await hold(eventId);
    expect(await listed()).toMatchObject([{ eventId, salesStopped: null, payoutsHeld: { reason: note } }]);
    await release(eventId);
    await release(eventId);

    expect(await listed()).toEqual([]);
    expect((await emailsTo(app, email)).filter(({ text }) => text.includes(note))).toHaveLength(2);
    const audited = await app.db
      .selectFrom('auditEvents')
      .where('eventId', '=', eventId)
      .where('actorKind', '=', 'operator')
      .orderBy('at')
      .select('action')
      .execute();
    expect(audited).toEqual([{ action: 'hold-payout' }, { action: 'release-payout' }]);
  });

  it('denies a request that waits for it [BRAKE-2]', async () => {
    const event = await soldEvent(3);
    const { eventId, request } = event;
    await openPayout(app, event);

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await sql`select from events where id = ${eventId} for no key update`.execute(tx);
      const pending = request();
      await app.untilBlocked();
      await sql`insert into payout_holds (event_id, held_at, held_by, reason)
        select ${eventId}, now(), id, ${note} from users limit 1`.execute(tx);
      return { pending };
    });

    expect(await pending).toMatchObject(onHold);
    await release(eventId);
  });

  it('is not sent after it was requested, and no action item [BRAKE-2]', async () => {
    const event = await soldEvent(3);
    const { eventId, request } = event;
    await openPayout(app, event);
    await planFault(app, { match: { method: 'POST', path: '/v1/transfers' }, mode: 'drop_before', times: 30 });
    expectOk(await request());
    await clearFaults(app);
    await hold(eventId);
    await app.advance({ hours: 2 });

    await sendWaitingPayouts(app.deps);

    expect(await transfersOf(eventId)).toEqual([]);
    const { items } = expectOk(await (await newOperator(app)).call(adminActionItems, {}));
    expect(items.filter((item) => item.event?.eventId === eventId)).toEqual([]);
    await release(eventId);
    await sendWaitingPayouts(app.deps);
    expect(await transfersOf(eventId)).toEqual([100_35]);
  });

  it('holds back what a won dispute returns, until it is released [BRAKE-2]', async () => {
    const event = await soldEvent(2, 1);
    const { eventId, request } = event;
    const { id: orderId } = await app.db
      .selectFrom('orders')
      .where('eventId', '=', eventId)
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const report = (state: 'open' | 'won') => {
      const dispute = { stripeDisputeId: 'du_held', cents: 80_00, feeCents: 15_00, reason: 'general', state };
      return applyDisputes(app.deps, { eventId, orderId }, { disputes: [dispute] });
    };
    await report('open');
    await openPayout(app, event);
    expectOk(await request());
    await hold(eventId);
    await report('won');
    await app.settle();

    await sendWaitingPayouts(app.deps);
    expect(await transfersOf(eventId)).toEqual([23_45]);
    const claimed = await app.db.selectFrom('payouts').where('eventId', '=', eventId).select('seq').execute();
    expect(claimed).toEqual([{ seq: 1 }]);

    await release(eventId);
    await sendWaitingPayouts(app.deps);
    await app.settle();
    expect((await transfersOf(eventId)).sort()).toEqual([23_45, 76_90]);
  });
});
