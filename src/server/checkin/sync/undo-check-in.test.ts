/** Undoing a mistaken check-in: only by the device that made it, and only for a few seconds. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { UNDO_GRACE_SECONDS, UNDO_SECONDS } from '#domain/limits.ts';
import { checkInUndone } from '#messages/check-in.ts';
import { grantIdOf } from '#tests/support/check-in-devices.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { at } from '#tests/support/money.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const UNDONE = { status: 200, body: { msg: checkInUndone } };
const TOO_LATE = { status: 409, body: errorBody('check-in.too-late-to-undo') };

async function guestInside() {
  const event = await eventOnSale(app);
  const { eventId, attendantCode } = event;
  const [code = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
  const [device, other] = [
    await attendantOf(app, eventId, attendantCode),
    await attendantOf(app, eventId, attendantCode),
  ];
  const scanId = randomUUID();
  const check = (visitor: Visitor, id = scanId) =>
    visitor.call(checkGuest, { eventId, confirmationNumber: code, scanId: id });
  expectOk(await check(device));
  return { ...event, code, device, other, scanId, check };
}

async function undo(visitor: Visitor, eventId: string, scanId: string) {
  const { status, body } = await visitor.call(undoCheckIn, { eventId, scanId });
  return { status, body };
}

const ticketOf = (eventId: string) =>
  app.db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .select(['id', 'state', 'scannedAt', 'scannedBy', 'scanId'])
    .executeTakeFirstOrThrow();

const scannedOf = async (eventId: string) =>
  (await app.db.selectFrom('ticketTotalsNow').where('eventId', '=', eventId).select('scanned').execute()).reduce(
    (sum, { scanned }) => sum + Number(scanned),
    0,
  );

describe('a check-in', () => {
  it('can be undone, is audited, and the ticket is valid again', async () => {
    const { eventId, device, other, scanId, check } = await guestInside();
    const { id } = await ticketOf(eventId);
    expect(await scannedOf(eventId)).toBe(1);

    expect(await undo(device, eventId, scanId)).toEqual(UNDONE);

    expect(await ticketOf(eventId)).toEqual({ id, state: 'valid', scannedAt: null, scannedBy: null, scanId: null });
    expect(await scannedOf(eventId)).toBe(0);
    const { rows } = await sql`
      select action, actor_id, subject from audit_events where event_id = ${eventId} and action <> 'create-event'`.execute(
      app.db,
    );
    expect(rows).toEqual([{ action: 'undo-check-in', actorId: grantIdOf(app, device), subject: id }]);
    expect((await check(other, randomUUID())).status).toBe(200);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is undone once: a repeated request changes nothing', async () => {
    const { eventId, device, scanId } = await guestInside();
    await undo(device, eventId, scanId);

    expect(await undo(device, eventId, scanId)).toEqual(TOO_LATE);
    expect((await ticketOf(eventId)).state).toBe('valid');
  });

  it.each([
    ['at the time limit', 0, UNDONE],
    ['but not after it', 1, TOO_LATE],
  ])(`can be undone for a few seconds: %s`, async (_when, moreMs, answer) => {
    const { eventId, device, scanId } = await guestInside();
    const { scannedAt } = await ticketOf(eventId);
    const end = Number(scannedAt) + (UNDO_SECONDS + UNDO_GRACE_SECONDS) * 1000;

    expect(await at(app, new Date(end + moreMs), () => undo(device, eventId, scanId))).toEqual(answer);
  });

  it('cannot be undone by another device, the organizer or a stranger', async () => {
    const { visitor, eventId, device, other, scanId } = await guestInside();

    expect(await undo(other, eventId, scanId)).toEqual(TOO_LATE);
    expect(await undo(visitor, eventId, scanId)).toEqual(TOO_LATE);
    expect((await undo(app.visitor(), eventId, scanId)).status).toBe(401);
    expect(await undo(device, eventId, randomUUID())).toEqual(TOO_LATE);
    expect((await ticketOf(eventId)).state).toBe('scanned');
  });

  it('of the organizer can be undone by the organizer', async () => {
    const { visitor, eventId, device, scanId, check } = await guestInside();
    await undo(device, eventId, scanId);
    const own = randomUUID();
    expectOk(await check(visitor, own));

    expect(await undo(visitor, eventId, own)).toEqual(UNDONE);
  });

  it('cannot be undone after its scan was synced', async () => {
    const { eventId, code, device, other, scanId } = await guestInside();
    const scans = [{ scanId, confirmationNumber: code, at: app.now().getTime() }];
    expectOk(await device.call(syncScans, { eventId, scans }));

    expect(await undo(device, eventId, scanId)).toEqual(TOO_LATE);
    expect((await undo(other, eventId, scanId)).status).toBe(409);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

describe('undoing concurrently', () => {
  it('succeeds once for two requests', async () => {
    const { eventId, device, scanId } = await guestInside();
    const ask = () => undo(device, eventId, scanId);

    expect(await raceFor(app, 'tickets', eventId, [ask, ask])).toEqual([UNDONE, TOO_LATE]);

    const { rows } =
      await sql`select from audit_events where event_id = ${eventId} and action = 'undo-check-in'`.execute(app.db);
    expect(rows).toHaveLength(1);
  });

  it('does not undo the check-in that another device made in the meantime', async () => {
    const { eventId, device, other, scanId } = await guestInside();
    const otherId = grantIdOf(app, other);
    const later = randomUUID();

    // Another device undoes and repeats the check-in while this request waits for the lock.
    const { late } = await app.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('tickets')
        .set({ scannedBy: otherId, scanId: later })
        .where('eventId', '=', eventId)
        .execute();
      const late = undo(device, eventId, scanId);
      await app.untilBlocked();
      return { late };
    });

    expect(await late).toEqual(TOO_LATE);
    expect(await ticketOf(eventId)).toMatchObject({ state: 'scanned', scannedBy: otherId, scanId: later });
  });

  it('does not undo a scan that is being synced', async () => {
    const { eventId, code, device, scanId } = await guestInside();
    const scans = [{ scanId, confirmationNumber: code, at: app.now().getTime() }];

    const answers = await raceFor<unknown>(app, 'tickets', eventId, [
      async () => (await device.call(syncScans, { eventId, scans })).body.results,
      () => undo(device, eventId, scanId),
    ]);

    expect(answers).toEqual([[{ scanId, result: 'first' }], TOO_LATE]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('does not make a refunded ticket valid again', async () => {
    const { visitor, eventId, device, scanId } = await guestInside();
    expectOk(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    expect(await undo(device, eventId, scanId)).toEqual(TOO_LATE);
    expect((await ticketOf(eventId)).state).toBe('refunded');
  });

  it('does not make a ticket valid again whose refund was claimed while the request waited', async () => {
    const { eventId, device, scanId } = await guestInside();

    const { late } = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('tickets').set({ state: 'refunding' }).where('eventId', '=', eventId).execute();
      await sql`
        insert into refunds (event_id, id, order_id, ticket_id, cents, reason, created_at, send_after)
        select event_id, gen_random_uuid(), order_id, id, price_cents, 'event-cancelled', now(), now() + interval '1 day'
          from tickets where event_id = ${eventId}`.execute(tx);
      const late = undo(device, eventId, scanId);
      await app.untilBlocked();
      return { late };
    });

    expect(await late).toEqual(TOO_LATE);
    expect((await ticketOf(eventId)).state).toBe('refunding');
  });
});
