/** A check-in long before the start: the buyer is emailed, and an operator decides about many for one event. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import * as contract from '#contract/app/early-check-ins.ts';
import { EARLY_CHECK_IN_HOURS } from '#domain/limits.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import {
  checkInEmails,
  decide,
  itemsOf,
  soldEvent,
  stateOf,
  tokenIn,
  tokenOf,
} from '#tests/support/early-check-ins.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { advanceTo } from '#tests/support/money.ts';
import { emailsTo, expectOk, newOrganizer } from '#tests/support/people.ts';
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
const local = (time: Date) => localTimeOf(time, ZONE);

const read = (eventId: string, token: string) => app.call(contract.earlyCheckIn, { eventId, token });
const object = (eventId: string, token: string) => app.call(contract.objectToCheckIn, { eventId, token });

describe('a check-in more than 12 hours before the start [WINDOW-0]', () => {
  it('admits, and emails the buyer at once with a link to object [WINDOW-0]', async () => {
    const { eventId, buyer, code, scan, startsAt } = await soldEvent(app);

    expect(await scan(code)).toMatchObject({ status: 200, body: { result: 'admitted' } });

    const [email, ...others] = await checkInEmails(app, buyer);
    expect(others).toEqual([]);
    expect(email?.text).toContain(code);
    expect(await read(eventId, tokenIn(email?.text) ?? '')).toMatchObject({
      status: 200,
      body: { state: 'checked-in', confirmationNumber: code, startsAt: startsAt.toISOString(), objectedAt: null },
    });
  });

  it('is decided by the time of the scan: 12 hours before the start is not early', async () => {
    const { buyer, codes, scan, startsAt } = await soldEvent(app, { hours: 20 });
    await advanceTo(app, new Date(startsAt.getTime() - EARLY_CHECK_IN_HOURS * HOUR + 1000));

    expect((await scan(codes[0] ?? '')).status).toBe(200);

    expect(await checkInEmails(app, buyer)).toEqual([]);
  });

  it('is one too when a member makes it, and when a device syncs it', async () => {
    const { eventId, buyer, codes, scan, visitor, device } = await soldEvent(app, { tickets: 2 });
    const [first = '', second = ''] = codes;

    expect((await scan(first, randomUUID(), visitor)).status).toBe(200);
    const scans = [{ scanId: randomUUID(), confirmationNumber: second, at: 0 }];
    expectOk(await device.call(syncScans, { eventId, scans }));

    const texts = (await checkInEmails(app, buyer)).map(({ text }) => text).join();
    expect(texts).toContain(first);
    expect(texts).toContain(second);
  });

  it('is one too after the start is moved closer, whether or not it is moved back', async () => {
    const event = await soldEvent(app);
    const { eventId, buyer, code, scan, startsAt } = event;
    await editEventOf(app, event, { startDate_startTime: local(new Date(app.now().getTime() + 2 * HOUR)) });
    expect((await scan(code)).status).toBe(200);

    const token = await tokenOf(app, buyer);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'checked-in' } });
    await editEventOf(app, event, { startDate_startTime: local(startsAt) });
    expect(await checkInEmails(app, buyer)).toHaveLength(1);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is reported, once, when the start is moved to a later time', async () => {
    const event = await soldEvent(app, { hours: 10 });
    const { buyer, code, scan, startsAt } = event;
    expect((await scan(code)).status).toBe(200);
    expect(await checkInEmails(app, buyer)).toEqual([]);

    for (const days of [3, 4])
      await editEventOf(app, event, {
        startDate_startTime: local(new Date(startsAt.getTime() + days * 24 * HOUR)),
        endDate_endTime: local(new Date(startsAt.getTime() + (days * 24 + 3) * HOUR)),
      });

    expect(await checkInEmails(app, buyer)).toHaveLength(1);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is emailed even if the device undoes it, and again for the next one, a few times a day', async () => {
    const { eventId, buyer, code, scan, device } = await soldEvent(app);
    for (let attempt = 1; attempt <= 8; attempt++) {
      const scanId = randomUUID();
      expectOk(await scan(code, scanId));
      if (attempt < 8) expectOk(await device.call(undoCheckIn, { eventId, scanId }));
    }

    const tokens = (await checkInEmails(app, buyer)).map(({ text }) => tokenIn(text) ?? '');
    expect(tokens).toHaveLength(5);
    // Each link shows the latest check-in, so the last one is no secret.
    for (const token of tokens) expect(await read(eventId, token)).toMatchObject({ body: { state: 'checked-in' } });
    expectOk(await object(eventId, tokens[0] ?? ''));
    expect(await itemsOf(admin, eventId)).toMatchObject([{ kind: 'check-in-objection' }]);
  });

  it('needs no objection once the device undid it', async () => {
    const { eventId, buyer, code, scan, device } = await soldEvent(app);
    const scanId = randomUUID();
    expectOk(await scan(code, scanId));
    expectOk(await device.call(undoCheckIn, { eventId, scanId }));

    const token = await tokenOf(app, buyer);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'undone-at-door' } });
    expect(await object(eventId, token)).toMatchObject({ status: 409, body: errorBody('objection.not-checked-in') });
    expect(await stateOf(app, eventId, code)).toBe('valid');
  });
});

describe('the link in that email [WINDOW-0]', () => {
  it('changes nothing when it is opened', async () => {
    const { eventId, buyer, code, scan } = await soldEvent(app);
    await scan(code);
    const token = await tokenOf(app, buyer);

    await read(eventId, token);
    await app.visitor().fetch(`/checked-in/${eventId}/${token}`);
    await app.visitor().fetch(`/api/public/object-to-check-in?eventId=${eventId}&token=${token}`);

    expect(await itemsOf(admin, eventId)).toEqual([]);
    expect(await read(eventId, token)).toMatchObject({ body: { state: 'checked-in' } });
  });

  it('cannot be made up, or used for another event', async () => {
    const [one, other] = [await soldEvent(app), await soldEvent(app)];
    await one.scan(one.code);
    const token = await tokenOf(app, one.buyer);
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
    expect(await itemsOf(admin, one.eventId)).toEqual([]);
  });
});

describe('early check-ins of one event [WINDOW-0]', () => {
  it('are an action item from the fifth on, without any objection', async () => {
    const { eventId, codes, scan } = await soldEvent(app, { tickets: 6 });
    for (const code of codes.slice(0, 4)) expectOk(await scan(code));
    expect(await itemsOf(admin, eventId)).toEqual([]);

    expectOk(await scan(codes[4] ?? ''));
    const [item] = await itemsOf(admin, eventId);
    expectOk(await scan(codes[5] ?? ''));

    expect(item).toMatchObject({
      kind: 'early-check-ins',
      why: '5 tickets checked in more than 12 hours before the start.',
    });
    expect(await itemsOf(admin, eventId)).toMatchObject([{ kind: 'early-check-ins', subject: item?.subject }]);
  });

  it('are all undone at once, and each buyer is emailed', async () => {
    const { eventId, buyer, codes, scan } = await soldEvent(app, { tickets: 6 });
    for (const code of codes) expectOk(await scan(code));
    const [item] = await itemsOf(admin, eventId);

    expect((await decide(app, admin, 'undo-check-ins', item?.subject)).status).toBe(200);
    expect((await decide(app, admin, 'undo-check-ins', item?.subject)).status).toBe(200);

    for (const code of codes) expect(await stateOf(app, eventId, code)).toBe('valid');
    expect(await itemsOf(admin, eventId)).toEqual([]);
    const emails = await emailsTo(app, buyer);
    expect(emails.filter(({ subject }) => subject === 'Your ticket is valid again')).toHaveLength(6);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('can be let stand: five more are another action item, and an objection still counts', async () => {
    const { eventId, buyer, codes, scan } = await soldEvent(app, { tickets: 10 });
    for (const code of codes.slice(0, 5)) expectOk(await scan(code));
    const [first] = await itemsOf(admin, eventId);
    expect((await decide(app, admin, 'keep-check-ins', first?.subject)).status).toBe(200);
    for (const code of codes.slice(0, 5)) expect(await stateOf(app, eventId, code)).toBe('scanned');
    expect(await itemsOf(admin, eventId)).toEqual([]);

    expectOk(await object(eventId, await tokenOf(app, buyer)));
    for (const code of codes.slice(5)) expectOk(await scan(code));

    expect((await itemsOf(admin, eventId)).map(({ kind }) => kind).toSorted()).toEqual([
      'check-in-objection',
      'early-check-ins',
    ]);
    const again = (await itemsOf(admin, eventId)).find(({ kind }) => kind === 'early-check-ins');
    expect(again?.subject).not.toBe(first?.subject);
  });
});
