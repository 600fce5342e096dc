/** Check-in, attacked by people with no attendant code, an old one, or one of another event. */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/check-in.ts';
import { syncScans } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { admitted, attendantAccepted } from '#messages/check-in.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

let anEvent: Awaited<ReturnType<typeof eventOnSale>>;
beforeAll(async () => {
  anEvent = await eventOnSale(app);
});

async function eventWithTickets(count = 1) {
  const event = await eventOnSale(app);
  const codes = codesOf(await buyTickets(app, event.eventId, generalAdmission(count)));
  return { ...event, code: codes[0] ?? '', codes };
}

const enter = (eventId: unknown, formData: unknown) =>
  app.server.inject({ method: 'POST', url: contract.enterAttendantCode.path, payload: { eventId, formData } });
const stateOf = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute()).map(
    ({ state }) => state,
  );

/** Pins the database's clock until the returned function runs. */
async function stopClock(): Promise<() => Promise<unknown>> {
  const moment = sql.lit(app.now().toISOString());
  const runFrom = (now: RawBuilder<unknown>) =>
    sql`create or replace function business_now() returns timestamptz language sql stable
        as $$ select ${now} + make_interval(secs => offset_seconds) from business_clock $$`.execute(app.db);
  await runFrom(sql`${moment}::timestamptz`);
  return () => runFrom(sql`now()`);
}

describe('POST /api/public/attendantCode', () => {
  it("answers identically for a wrong code, another event's code, an unknown event and a filled honeypot", async () => {
    const [event, other] = [await eventOnSale(app), await eventOnSale(app)];
    const { eventId, attendantCode } = event;

    const replies = await Promise.all([
      enter(eventId, { attendantCode: 'GUESS00000' }),
      enter(eventId, { attendantCode: other.attendantCode }),
      enter('no-such-event-00', { attendantCode }),
      enter(`${eventId} `, { attendantCode }),
      enter('', { attendantCode }),
      enter(eventId, { attendantCode, honeypot: 'x' }),
      enter(eventId, { attendantCode: attendantCode.slice(0, 9) }),
      enter(eventId, { attendantCode: `${attendantCode}0` }),
      enter(eventId, { attendantCode: '%'.repeat(10) }),
      enter(eventId, { attendantCode: '0'.repeat(60_000) }),
    ]);

    for (const reply of replies) {
      expect([reply.statusCode, reply.body]).toEqual([401, JSON.stringify(errorBody('attendant-code.wrong'))]);
      expect(reply.cookies).toEqual([]);
    }
  });

  it.each(['ÄÖÜÄÖÜÄÖÜÄ', '１２３４５６７８９０', '😀😀😀😀😀', '\u212A'.repeat(10), 'ﬀ'.repeat(5), 'ı'.repeat(10)])(
    'treats the ten letters %s as a wrong code, without an error',
    async (attendantCode) => {
      expect((await enter(anEvent.eventId, { attendantCode })).statusCode).toBe(401);
    },
  );

  it.each([[['0123456789']], [{ length: 10 }], [1234567890], [null], [true]])(
    'rejects the code %j',
    async (attendantCode) => {
      expect((await enter(anEvent.eventId, { attendantCode })).statusCode).toBe(400);
      expect((await enter([anEvent.eventId], { attendantCode: 'GUESS00000' })).statusCode).toBe(400);
    },
  );

  it('sets a grant that no page can read, no other site can use, and that reveals nothing', async () => {
    const { eventId, attendantCode } = await eventOnSale(app);

    const reply = await enter(eventId, { attendantCode });

    expect(reply.json()).toEqual({ msg: attendantAccepted });
    expect(reply.cookies).toMatchObject([
      { name: 'attendant', httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 43_200 },
    ]);
    expect(reply.cookies[0]?.value).not.toContain(attendantCode);
  });
});

describe('POST /api/protected/change-attendant-code', () => {
  const change = (visitor: Visitor, eventId: string) => visitor.send(contract.changeAttendantCode, { eventId });

  it('removes everyone with the old code, including devices already signed in', async () => {
    const { visitor, eventId, attendantCode, code } = await eventWithTickets();
    const device = await attendantOf(app, eventId, attendantCode);

    const changed = await change(visitor, eventId);

    expect(changed.status).toBe(200);
    expect(Object.keys(changed.body)).toEqual(['attendantCode']);
    expect(changed.body.attendantCode).not.toBe(attendantCode);
    await app.deps.changes.catchUp();
    expect((await device.call(contract.checkGuest, { eventId, confirmationNumber: code })).status).toBe(401);
    expect((await enter(eventId, { attendantCode })).statusCode).toBe(401);
    const again = await attendantOf(app, eventId, changed.body.attendantCode);
    expect((await again.call(contract.checkGuest, { eventId, confirmationNumber: code })).status).toBe(200);
  });

  it("is for the event's organizer only; others get the answer for an unknown event", async () => {
    const [{ eventId, attendantCode }, other] = [await eventOnSale(app), await eventOnSale(app)];

    const foreign = await change(other.visitor, eventId);

    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await change(other.visitor, 'no-such-event-00')).body);
    expect((await change(app.visitor(), eventId)).status).toBe(401);
    expect((await enter(eventId, { attendantCode })).statusCode).toBe(200);
  });
});

describe.each([
  ['POST /api/public/checkGuest', contract.checkGuest, (code: unknown) => ({ confirmationNumber: code })],
  [
    'POST /api/public/checkGuestManual',
    contract.checkGuestManual,
    (code: unknown) => ({ manualFormData: { confirmationNumber: code } }),
  ],
])('%s', (_call, endpoint, bodyWith) => {
  const scan = (visitor: Visitor, eventId: unknown, code: unknown) =>
    visitor.send(endpoint, { eventId, ...bodyWith(code) });

  it('rejects callers without a grant for this very event', async () => {
    const [{ eventId, code, attendantCode }, other] = [await eventWithTickets(), await eventOnSale(app)];
    const stranger = await attendantOf(app, other.eventId, other.attendantCode);
    const forger = app.visitor();
    const grant = [{ eventId, grantId: 'x', codeVersion: 1, expiresAt: Date.now() * 2 }];
    forger.cookies.set('attendant', `${Buffer.from(JSON.stringify(grant)).toString('base64url')}.`);
    const knower = app.visitor();
    knower.cookies.set('attendant', attendantCode);

    const missing = { status: 401, body: errorBody('attendant-code.missing') };
    for (const visitor of [app.visitor(), stranger, forger, knower, other.visitor])
      expect(await scan(visitor, eventId, code)).toMatchObject(missing);
    // The caller has a grant for one event and names another in the body, or several.
    for (const named of ['no-such-event-00', [other.eventId], { eventId: other.eventId }, undefined])
      expect(await scan(stranger, named, code)).toMatchObject(missing);
    expect(await stateOf(eventId)).toEqual(['valid']);
  });

  it("answers identically for another organizer's ticket and an unknown number", async () => {
    const [{ eventId, attendantCode }, other] = [await eventOnSale(app), await eventWithTickets()];
    const device = await attendantOf(app, eventId, attendantCode);

    const numbers = [other.code, '1000000000', `${other.code}\n`, '%', 'constructor', '１２３４５６７８９０'];
    for (const number of numbers) {
      const reply = await scan(device, eventId, number);
      expect([reply.status, reply.body]).toEqual([404, errorBody('check-in.unknown-ticket')]);
    }
    expect(await stateOf(other.eventId)).toEqual(['valid']);
  });

  it.each([[1_234_567_890], [['1234567890']], [{ $gt: '' }], [null], [true], ['1'.repeat(101)]])(
    'rejects the number %j',
    async (number) => {
      const device = await attendantOf(app, anEvent.eventId, anEvent.attendantCode);
      expect((await scan(device, anEvent.eventId, number)).status).toBe(400);
    },
  );

  it('lets a device repeat its own admission for three seconds, and no other device', async () => {
    const { eventId, attendantCode, code } = await eventWithTickets();
    const [device, other] = [
      await attendantOf(app, eventId, attendantCode),
      await attendantOf(app, eventId, attendantCode),
    ];

    const start = await stopClock();
    const yes = await scan(device, eventId, code);
    await app.advance({ seconds: 3 });
    const again = await scan(device, eventId, code);
    const stranger = await scan(other, eventId, code);
    await app.advance({ seconds: 1 });
    const late = await scan(device, eventId, code);
    await start();

    expect(yes).toMatchObject({ status: 200, body: { msg: admitted('General admission') } });
    expect([again.status, again.body]).toEqual([yes.status, yes.body]);
    expect([stranger.status, late.status]).toEqual([409, 409]);
    expect(Object.keys(stranger.body)).toEqual(['code', 'params', 'msg']);
  });

  it('admits no refunded ticket, and no one to a cancelled event', async () => {
    const { visitor, eventId, attendantCode, codes } = await eventWithTickets(2);
    const [back = '', kept = ''] = codes;
    const device = await attendantOf(app, eventId, attendantCode);
    await app.call(requestRefund, { eventId, confirmationCode: back });

    expect((await scan(device, eventId, back)).status).toBe(409);
    await visitor.call(cancelEvent, { eventId });
    expect((await scan(device, eventId, kept)).status).toBe(409);
    await app.settle();
    expect(await stateOf(eventId)).not.toContain('scanned');
  });

  it("rejects another site that uses the device's browser", async () => {
    const { eventId, attendantCode, code } = await eventWithTickets();
    const device = await attendantOf(app, eventId, attendantCode);

    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await device.send(endpoint, { eventId, ...bodyWith(code) }, headers)).status).toBe(403);
    expect(await stateOf(eventId)).toEqual(['valid']);
  });
});

describe('POST /api/public/checkGuestManual', () => {
  it('answers a filled honeypot like a wrong number, and admits no one', async () => {
    const { eventId, attendantCode, code } = await eventWithTickets();
    const device = await attendantOf(app, eventId, attendantCode);
    const check = (manualFormData: object) => device.send(contract.checkGuestManual, { eventId, manualFormData });

    const [trapped, wrong] = [
      await check({ confirmationNumber: code, honeypot: 'x' }),
      await check({ confirmationNumber: '1000000000' }),
    ];

    expect([trapped.status, trapped.body]).toEqual([404, wrong.body]);
    expect(await stateOf(eventId)).toEqual(['valid']);
  });
});

describe('POST /api/public/sync-scans', () => {
  const send = (visitor: Visitor, eventId: string, scans: unknown) => visitor.send(syncScans, { eventId, scans });
  const scanOf = (confirmationNumber: unknown) => ({
    scanId: randomUUID(),
    confirmationNumber,
    at: app.now().getTime(),
  });

  it('returns only the result of each scan', async () => {
    const { eventId, attendantCode, code } = await eventWithTickets();
    const device = await attendantOf(app, eventId, attendantCode);

    const { status, body } = await send(device, eventId, [scanOf(code), scanOf('1000000000')]);

    expect([status, Object.keys(body)]).toEqual([200, ['results']]);
    expect(body.results.map((one) => Object.keys(one).join())).toEqual(['scanId,result', 'scanId,result']);
  });

  it.each([
    ['more than a hundred scans', () => Array.from({ length: 101 }, () => scanOf('1000000000'))],
    ['none', () => []],
    ['an invalid number', () => [scanOf('0123456789')]],
    ['an invalid time', () => [{ ...scanOf('1000000000'), at: '2026-05-01' }]],
    ['an invalid id', () => [{ ...scanOf('1000000000'), scanId: '1' }]],
  ])('rejects %s', async (_what, scans) => {
    const device = await attendantOf(app, anEvent.eventId, anEvent.attendantCode);

    expect((await send(device, anEvent.eventId, scans())).status).toBe(400);
  });

  it('cannot overwrite a scan that another device synced', async () => {
    const { eventId, attendantCode, codes } = await eventWithTickets(2);
    const [device, thief] = [
      await attendantOf(app, eventId, attendantCode),
      await attendantOf(app, eventId, attendantCode),
    ];
    const scan = scanOf(codes[0]);
    await send(device, eventId, [scan]);

    const taken = await send(thief, eventId, [{ ...scan, confirmationNumber: codes[1] }]);

    expect(taken.body.results).toEqual([{ scanId: scan.scanId, result: 'first' }]);
    expect((await stateOf(eventId)).toSorted()).toEqual(['scanned', 'valid']);
  });
});
