/** A check-in long before the start: the buyer is emailed and can object, an operator decides, and the payout waits. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login, profile } from '#contract/app/accounts.ts';
import {
  type ActionItem,
  adminActionItems,
  type CheckInDecision,
  decideEarlyCheckIn,
} from '#contract/app/action-items.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import * as contract from '#contract/app/early-check-ins.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { EARLY_CHECK_IN_HOURS } from '#domain/limits.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { earlyCheckInEmail } from '#messages/early-check-in.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { advanceTo, movementsAtStripe, settlementOf } from '#tests/support/money.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  newOrganizer,
  PASSWORD,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: { visitor: Visitor; email: string };
beforeAll(async () => {
  app = await startTestApp();
  admin = await newOrganizer(app);
  await appointAdmin(app.deps, { email: admin.email, isAdmin: true });
});
afterAll(() => app.close());

const ZONE = 'America/New_York';
const HOUR = 60 * 60 * 1000;
const DAYS = 24;
const local = (time: Date) => localTimeOf(time, ZONE);
let buyers = 0;

/** An event that starts in `hours`, with the tickets of one buyer and a device at the door. */
async function soldEvent({ hours = 20 * DAYS, tickets = 1 } = {}) {
  const start = app.now().getTime() + hours * HOUR;
  const event = await eventOnSale(app, {
    startDate_startTime: new Date(start).toISOString(),
    endDate_endTime: new Date(start + 3 * HOUR).toISOString(),
  });
  const { eventId, attendantCode } = event;
  const buyer = `early-${++buyers}@example.com`;
  const codes = codesOf(await buyTickets(app, eventId, generalAdmission(tickets), buyer));
  await app.settle();
  const device = await attendantOf(app, eventId, attendantCode);
  const scan = (code: string, scanId = randomUUID(), by = device) =>
    by.call(checkGuest, { eventId, confirmationNumber: code, scanId });
  return { ...event, startsAt: new Date(start), buyer, codes, code: codes[0] ?? '', device, scan };
}

const tokenIn = (text: string | undefined) => /\/checked-in\/[\w-]{16}\/([\w-]{43})/.exec(text ?? '')?.[1];
const checkInEmails = async (buyer: string) =>
  (await emailsTo(app, buyer)).filter(({ subject }) => subject === earlyCheckInEmail.subject);

async function tokenOf(buyer: string): Promise<string> {
  const token = tokenIn((await checkInEmails(buyer))[0]?.text);
  if (!token) throw new Error('no check-in was emailed');
  return token;
}

const read = (eventId: string, token: string) => app.call(contract.earlyCheckIn, { eventId, token });
const object = (eventId: string, token: string) => app.call(contract.objectToCheckIn, { eventId, token });
const stateOf = async (eventId: string, code: string) =>
  (
    await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .where('confirmationNumber', '=', code)
      .select('state')
      .executeTakeFirstOrThrow()
  ).state;

async function itemsOf(eventId: string): Promise<ActionItem[]> {
  await admin.visitor.call(login, { email: admin.email, password: PASSWORD });
  const { items } = expectOk(await admin.visitor.call(adminActionItems, {}));
  return items.filter((item) => item.event?.eventId === eventId);
}

async function decide(action: CheckInDecision, subject: string | undefined) {
  await admin.visitor.call(login, { email: admin.email, password: PASSWORD });
  const reply = await admin.visitor.call(decideEarlyCheckIn, { action, subject: subject ?? '', note: 'asked them' });
  await app.settle();
  return reply;
}

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

describe('a check-in more than 12 hours before the start [WINDOW-0]', () => {
  it('admits, and emails the buyer at once with a link to object [WINDOW-0]', async () => {
    const { eventId, buyer, code, scan, startsAt } = await soldEvent();

    expect(await scan(code)).toMatchObject({ status: 200, body: { result: 'admitted' } });

    const [email, ...others] = await checkInEmails(buyer);
    expect(others).toEqual([]);
    expect(email?.text).toContain(code);
    expect(await read(eventId, tokenIn(email?.text) ?? '')).toMatchObject({
      status: 200,
      body: { state: 'checked-in', confirmationNumber: code, startsAt: startsAt.toISOString(), objectedAt: null },
    });
  });

  it('is decided by the time of the scan: 12 hours before the start is not early', async () => {
    const { buyer, codes, scan, startsAt } = await soldEvent({ hours: 20 });
    await advanceTo(app, new Date(startsAt.getTime() - EARLY_CHECK_IN_HOURS * HOUR + 1000));

    expect((await scan(codes[0] ?? '')).status).toBe(200);

    expect(await checkInEmails(buyer)).toEqual([]);
  });

  it('is one too when a member makes it, and when a device syncs it', async () => {
    const { eventId, buyer, codes, scan, visitor, device } = await soldEvent({ tickets: 2 });
    const [first = '', second = ''] = codes;

    expect((await scan(first, randomUUID(), visitor)).status).toBe(200);
    const scans = [{ scanId: randomUUID(), confirmationNumber: second, at: 0 }];
    expectOk(await device.call(syncScans, { eventId, scans }));

    const texts = (await checkInEmails(buyer)).map(({ text }) => text).join();
    expect(texts).toContain(first);
    expect(texts).toContain(second);
  });

  it('is one too after the start is moved closer, whether or not it is moved back', async () => {
    const event = await soldEvent();
    const { eventId, buyer, code, scan, startsAt } = event;
    await editEventOf(app, event, { startDate_startTime: local(new Date(app.now().getTime() + 2 * HOUR)) });
    expect((await scan(code)).status).toBe(200);

    const token = await tokenOf(buyer);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'checked-in' } });
    await editEventOf(app, event, { startDate_startTime: local(startsAt) });
    expect(await checkInEmails(buyer)).toHaveLength(1);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is reported, once, when the start is moved to a later time', async () => {
    const event = await soldEvent({ hours: 10 });
    const { buyer, code, scan, startsAt } = event;
    expect((await scan(code)).status).toBe(200);
    expect(await checkInEmails(buyer)).toEqual([]);

    for (const days of [3, 4])
      await editEventOf(app, event, {
        startDate_startTime: local(new Date(startsAt.getTime() + days * 24 * HOUR)),
        endDate_endTime: local(new Date(startsAt.getTime() + (days * 24 + 3) * HOUR)),
      });

    expect(await checkInEmails(buyer)).toHaveLength(1);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is emailed even if the device undoes it, and again for the next one, a few times a day', async () => {
    const { eventId, buyer, code, scan, device } = await soldEvent();
    for (let attempt = 1; attempt <= 8; attempt++) {
      const scanId = randomUUID();
      expectOk(await scan(code, scanId));
      if (attempt < 8) expectOk(await device.call(undoCheckIn, { eventId, scanId }));
    }

    const tokens = (await checkInEmails(buyer)).map(({ text }) => tokenIn(text) ?? '');
    expect(tokens).toHaveLength(5);
    // Each link shows the latest check-in, so the last one is no secret.
    for (const token of tokens) expect(await read(eventId, token)).toMatchObject({ body: { state: 'checked-in' } });
    expectOk(await object(eventId, tokens[0] ?? ''));
    expect(await itemsOf(eventId)).toMatchObject([{ kind: 'check-in-objection' }]);
  });

  it('needs no objection once the device undid it', async () => {
    const { eventId, buyer, code, scan, device } = await soldEvent();
    const scanId = randomUUID();
    expectOk(await scan(code, scanId));
    expectOk(await device.call(undoCheckIn, { eventId, scanId }));

    const token = await tokenOf(buyer);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'undone-at-door' } });
    expect(await object(eventId, token)).toMatchObject({ status: 409, body: errorBody('objection.not-checked-in') });
    expect(await stateOf(eventId, code)).toBe('valid');
  });
});

describe('the link in that email [WINDOW-0]', () => {
  it('changes nothing when it is opened', async () => {
    const { eventId, buyer, code, scan } = await soldEvent();
    await scan(code);
    const token = await tokenOf(buyer);

    await read(eventId, token);
    await app.visitor().fetch(`/checked-in/${eventId}/${token}`);
    await app.visitor().fetch(`/api/public/object-to-check-in?eventId=${eventId}&token=${token}`);

    expect(await itemsOf(eventId)).toEqual([]);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'checked-in' } });
  });

  it('cannot be made up, or used for another event', async () => {
    const [one, other] = [await soldEvent(), await soldEvent()];
    await one.scan(one.code);
    const token = await tokenOf(one.buyer);
    const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;

    for (const [eventId, made] of [
      [one.eventId, forged],
      [one.eventId, ''],
      [one.eventId, 'x'.repeat(43)],
      [other.eventId, token],
    ] as const) {
      const unknown = { status: 404, body: errorBody('check-in-link.unknown') };
      expect(await read(eventId, made || 'none')).toMatchObject(unknown);
      expect(await object(eventId, made)).toMatchObject(unknown);
    }
    expect(await itemsOf(one.eventId)).toEqual([]);
  });
});

describe('an objection [WINDOW-0]', () => {
  /** Checked in early, and its buyer objects. */
  async function objected(tickets = 1) {
    const event = await soldEvent({ tickets });
    await event.scan(event.code);
    const token = await tokenOf(event.buyer);
    expectOk(await object(event.eventId, token));
    return { ...event, token };
  }

  it('is one action item, however often it is sent', async () => {
    const { eventId, token } = await objected();

    expectOk(await object(eventId, token));

    expect(await itemsOf(eventId)).toMatchObject([
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
    const [item] = await itemsOf(eventId);

    expect((await decide('undo-check-in', item?.subject)).status).toBe(200);

    expect(await stateOf(eventId, code)).toBe('valid');
    expect(await itemsOf(eventId)).toEqual([]);
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
    const [item] = await itemsOf(eventId);

    expect((await decide('keep-check-in', item?.subject)).status).toBe(200);

    expect(await stateOf(eventId, code)).toBe('scanned');
    expect(await itemsOf(eventId)).toEqual([]);
    expect(await object(eventId, token)).toMatchObject({ status: 409, body: errorBody('objection.decided') });
    expect((await decide('keep-check-in', item?.subject)).status).toBe(200);
    expect(await decide('undo-check-in', item?.subject)).toMatchObject({
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

    await decide('undo-check-in', (await itemsOf(eventId))[0]?.subject);
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
    await decide('undo-check-in', (await itemsOf(eventId))[0]?.subject);
    await app.advance({ hours: 24 });

    expect(await app.call(requestRefund, { eventId, confirmationCode: code })).toMatchObject({
      status: 409,
      body: { code: 'refund.window-closed' },
    });
    expect(await payOut(event)).toMatchObject({ status: 200 });
  });

  it('is too late once the payout was requested, and needless when the event is cancelled', async () => {
    const paid = await soldEvent({ tickets: 2 });
    const cancelled = await soldEvent();
    for (const { code, scan } of [paid, cancelled]) await scan(code);
    const [late, needless] = [await tokenOf(paid.buyer), await tokenOf(cancelled.buyer)];
    expectOk(await cancelled.visitor.call(cancelEvent, { eventId: cancelled.eventId }));
    await settle(paid.eventId);
    expectOk(await payOut(paid));

    for (const [eventId, token] of [
      [paid.eventId, late],
      [cancelled.eventId, needless],
    ] as const) {
      expect(await object(eventId, token)).toMatchObject({ status: 409, body: errorBody('objection.closed') });
      expect(await itemsOf(eventId)).toEqual([]);
    }
  });

  it('is seen by a payout that is requested in the same moment', async () => {
    const event = await soldEvent({ tickets: 2 });
    const { eventId, code } = event;
    await event.scan(code);
    const token = await tokenOf(event.buyer);
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
    const [item] = await itemsOf(eventId);
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
    expect(await stateOf(eventId, code)).toBe(statuses[0] === 200 ? 'valid' : 'scanned');
    expect(await itemsOf(eventId)).toEqual([]);
  });
});

describe('early check-ins of one event [WINDOW-0]', () => {
  it('are an action item from the fifth on, without any objection', async () => {
    const { eventId, codes, scan } = await soldEvent({ tickets: 6 });
    for (const code of codes.slice(0, 4)) expectOk(await scan(code));
    expect(await itemsOf(eventId)).toEqual([]);

    expectOk(await scan(codes[4] ?? ''));
    const [item] = await itemsOf(eventId);
    expectOk(await scan(codes[5] ?? ''));

    expect(item).toMatchObject({
      kind: 'early-check-ins',
      why: '5 tickets checked in more than 12 hours before the start.',
    });
    expect(await itemsOf(eventId)).toMatchObject([{ kind: 'early-check-ins', subject: item?.subject }]);
  });

  it('are all undone at once, and each buyer is emailed', async () => {
    const { eventId, buyer, codes, scan } = await soldEvent({ tickets: 6 });
    for (const code of codes) expectOk(await scan(code));
    const [item] = await itemsOf(eventId);

    expect((await decide('undo-check-ins', item?.subject)).status).toBe(200);
    expect((await decide('undo-check-ins', item?.subject)).status).toBe(200);

    for (const code of codes) expect(await stateOf(eventId, code)).toBe('valid');
    expect(await itemsOf(eventId)).toEqual([]);
    const emails = await emailsTo(app, buyer);
    expect(emails.filter(({ subject }) => subject === 'Your ticket is valid again')).toHaveLength(6);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('can be let stand: five more are another action item, and an objection still counts', async () => {
    const { eventId, buyer, codes, scan } = await soldEvent({ tickets: 10 });
    for (const code of codes.slice(0, 5)) expectOk(await scan(code));
    const [first] = await itemsOf(eventId);
    expect((await decide('keep-check-ins', first?.subject)).status).toBe(200);
    for (const code of codes.slice(0, 5)) expect(await stateOf(eventId, code)).toBe('scanned');
    expect(await itemsOf(eventId)).toEqual([]);

    expectOk(await object(eventId, await tokenOf(buyer)));
    for (const code of codes.slice(5)) expectOk(await scan(code));

    expect((await itemsOf(eventId)).map(({ kind }) => kind).toSorted()).toEqual([
      'check-in-objection',
      'early-check-ins',
    ]);
    const again = (await itemsOf(eventId)).find(({ kind }) => kind === 'early-check-ins');
    expect(again?.subject).not.toBe(first?.subject);
  });
});
