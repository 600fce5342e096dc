/** A buyer objects to a check-in long before the start: an operator decides, and the payout waits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { decideEarlyCheckIn } from '#contract/app/action-items.ts';
import * as contract from '#contract/app/early-check-ins.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { decide, itemsOf, soldEvent, stateOf, tokenIn, tokenOf } from '#tests/support/early-check-ins.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { advanceTo, movementsAtStripe, settlementOf } from '#tests/support/money.ts';
import { emailsTo, expectOk, logInAgain, newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: { visitor: Visitor; email: string };
beforeAll(async () => {
  app = await startTestApp();
  admin = await newOrganizer(app);
  await appointAdmin(app.deps, { email: admin.email, isAdmin: true });
});
afterAll(() => app.close());

const read = (eventId: string, token: string) => app.call(contract.earlyCheckIn, { eventId, token });
const object = (eventId: string, token: string) => app.call(contract.objectToCheckIn, { eventId, token });

async function payOut(event: { visitor: Visitor; email: string; eventId: string }) {
  await logInAgain(event);
  return event.visitor.call(requestPayout, { eventId: event.eventId });
}

async function payoutShown(event: { visitor: Visitor; email: string; eventId: string }) {
  await logInAgain(event);
  const { events } = expectOk(await event.visitor.call(profile, {}));
  return events.find(({ eventId }) => eventId === event.eventId)?.payout;
}

const settle = async (eventId: string) => advanceTo(app, new Date((await settlementOf(app, eventId)).getTime() + 1000));

describe('an objection [WINDOW-0]', () => {
  /** Checked in early, and its buyer objects. */
  async function objected(tickets = 1) {
    const event = await soldEvent(app, { tickets });
    await event.scan(event.code);
    const token = await tokenOf(app, event.buyer);
    expectOk(await object(event.eventId, token));
    return { ...event, token };
  }

  it('is one action item, however often it is sent', async () => {
    const { eventId, token } = await objected();

    expectOk(await object(eventId, token));

    expect(await itemsOf(admin, eventId)).toMatchObject([
      { kind: 'check-in-objection', cents: 24_00, why: 'Checked in 20 days before the start.' },
    ]);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'objected', objectedAt: expect.any(String) } });
  });

  it('leaves the ticket as it is until an operator undoes the check-in: then it is valid and refundable', async () => {
    const { eventId, buyer, code, token } = await objected();
    expect(await app.call(requestRefund, { eventId, confirmationCode: code })).toMatchObject({
      status: 409,
      body: { code: 'refund.already-scanned' },
    });
    const [item] = await itemsOf(admin, eventId);

    expect((await decide(app, admin, 'undo-check-in', item?.subject)).status).toBe(200);

    expect(await stateOf(app, eventId, code)).toBe('valid');
    expect(await itemsOf(admin, eventId)).toEqual([]);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'undone' } });
    const [email] = await emailsTo(app, buyer);
    expect(tokenIn(email?.text)).toBe(token);
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: code }));
    await app.settle();
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'closed' } });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('ends when an operator lets the check-in stand, and cannot be made again', async () => {
    const { eventId, code, token } = await objected();
    const [item] = await itemsOf(admin, eventId);

    expect((await decide(app, admin, 'keep-check-in', item?.subject)).status).toBe(200);

    expect(await stateOf(app, eventId, code)).toBe('scanned');
    expect(await itemsOf(admin, eventId)).toEqual([]);
    expect(await object(eventId, token)).toMatchObject({ status: 409, body: errorBody('objection.decided') });
    expect((await decide(app, admin, 'keep-check-in', item?.subject)).status).toBe(200);
    expect(await decide(app, admin, 'undo-check-in', item?.subject)).toMatchObject({
      status: 409,
      body: { code: 'action-item.gone' },
    });
  });

  it('holds the payout, and the refund after a late undo has its day before the payout goes out', async () => {
    const event = await objected(2);
    const { eventId, code } = event;
    await settle(eventId);
    expect(await payOut(event)).toMatchObject({ status: 409, body: { code: 'payout.objections-open' } });
    expect(await payoutShown(event)).toMatchObject({ state: 'objections-open', denial: 'objections-open' });

    await decide(app, admin, 'undo-check-in', (await itemsOf(admin, eventId))[0]?.subject);
    expect(await payOut(event)).toMatchObject({ status: 409, body: { code: 'payout.objections-open' } });
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: code }));
    await app.settle();

    expect(await payOut(event)).toMatchObject({ status: 200 });
    expect(await movementsAtStripe(app, 'refund', eventId)).toHaveLength(1);
  });

  it('holds the payout no longer than a day after the undo, when refunds close again', async () => {
    const event = await objected();
    const { eventId, code } = event;
    await settle(eventId);
    await decide(app, admin, 'undo-check-in', (await itemsOf(admin, eventId))[0]?.subject);
    await app.advance({ hours: 24 });

    expect(await app.call(requestRefund, { eventId, confirmationCode: code })).toMatchObject({
      status: 409,
      body: { code: 'refund.window-closed' },
    });
    expect(await payOut(event)).toMatchObject({ status: 200 });
  });

  it('is too late once the payout was requested, and needless when the event is cancelled', async () => {
    const paid = await soldEvent(app, { tickets: 2 });
    const cancelled = await soldEvent(app);
    for (const { code, scan } of [paid, cancelled]) await scan(code);
    const [late, needless] = [await tokenOf(app, paid.buyer), await tokenOf(app, cancelled.buyer)];
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    await settle(paid.eventId);
    expectOk(await payOut(paid));

    for (const [eventId, token] of [
      [paid.eventId, late],
      [cancelled.eventId, needless],
    ] as const) {
      expect(await object(eventId, token)).toMatchObject({ status: 409, body: errorBody('objection.closed') });
      expect(await itemsOf(admin, eventId)).toEqual([]);
    }
  });

  it('is seen by a payout that is requested in the same moment', async () => {
    const event = await soldEvent(app, { tickets: 2 });
    const { eventId, code } = event;
    await event.scan(code);
    const token = await tokenOf(app, event.buyer);
    await settle(eventId);
    await logInAgain(event);

    const { objecting, paying } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('tickets').where('eventId', '=', eventId).select('id').forUpdate().execute();
      // Waits for its ticket while it keeps the event from being paid out.
      const objecting = object(eventId, token);
      await app.untilBlocked(1);
      const paying = event.visitor.call(requestPayout, { eventId });
      await app.untilBlocked(2);
      return { objecting, paying };
    });

    expect((await objecting).status).toBe(200);
    expect(await paying).toMatchObject({ status: 409, body: { code: 'payout.objections-open' } });
  });

  it('is decided once by two operators at the same time', async () => {
    const { eventId, code } = await objected();
    const [item] = await itemsOf(admin, eventId);
    const subject = item?.subject ?? '';

    const both = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('tickets').where('eventId', '=', eventId).select('id').forUpdate().execute();
      await tx.selectFrom('earlyCheckIns').where('eventId', '=', eventId).select('id').forUpdate().execute();
      const both = (['undo-check-in', 'keep-check-in'] as const).map((action) =>
        admin.visitor.call(decideEarlyCheckIn, { action, subject, note: 'asked them' }),
      );
      await app.untilBlocked(2);
      return both;
    });

    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    expect(await stateOf(app, eventId, code)).toBe(statuses[0] === 200 ? 'valid' : 'scanned');
    expect(await itemsOf(admin, eventId)).toEqual([]);
  });
});
