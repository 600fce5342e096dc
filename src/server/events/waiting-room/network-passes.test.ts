/** Passes per event and client network. The test app trusts the address that a visitor states. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent } from '#contract/app/events.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { networkHash } from '#server/platform/client-network.ts';
import { eventForm, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eventWithWaitingRoom, inMinutes, join, pollRoom, tryCheckout } from '#tests/support/waiting-room.ts';
import { assignPositions } from './waiting-room.sql.ts';

const LIMIT = 8;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: 1 });
});
afterAll(() => app.close());

/** One browser after the other. */
async function arrive(eventId: string, count: number, network = '203.0.113') {
  const answers = [];
  for (let n = 1; n <= count; n++) {
    const visitor = app.visitor({ address: `${network}.${n}` });
    answers.push({ visitor, ...(await join(visitor, eventId)) });
  }
  return answers;
}

const statusesOf = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);
const granted = Array<number>(LIMIT).fill(200);
const limitReached = { status: 409, body: { code: 'waiting-room.network-limit' } };

const countersOf = (eventId: string) =>
  app.db.selectFrom('waitingRoomNetworks').where('eventId', '=', eventId).select('passes').execute();

async function lastPassOf(eventId: string): Promise<number> {
  const rooms = app.db.selectFrom('waitingRooms').where('eventId', '=', eventId);
  return (await rooms.select('lastPass').executeTakeFirstOrThrow()).lastPass;
}

describe('a browser', () => {
  it('has one pass per event, in all of its tabs [ROOM-1]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10);
    const { eventId: other } = await eventWithWaitingRoom(app, 10);
    const visitor = app.visitor({ address: '203.0.113.1' });

    for (let tab = 0; tab < 12; tab++) expectOk(await join(visitor, eventId));
    expectOk(await join(visitor, other));
    expectOk(await join(visitor, eventId));

    expect(await lastPassOf(eventId)).toBe(1);
    expect(await lastPassOf(other)).toBe(1);
  });
});

describe('the passes of one network', () => {
  it('are limited before the start, and others join as before [ROOM-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10);

    const answers = await arrive(eventId, LIMIT + 2);
    expect(statusesOf(answers)).toEqual([...granted, 409, 409]);
    expect(answers.at(-1)).toMatchObject(limitReached);
    expect(statusesOf(await arrive(eventId, 1, '203.0.114'))).toEqual([200]);
    expect(await lastPassOf(eventId)).toBe(LIMIT + 1);
  });

  it('are 8 in the draw, of 1,800 that the network asks for in the hour before [ROOM-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 60);
    const statuses: number[] = [];
    for (let round = 0; round < 30; round++) {
      const asking = Array.from({ length: 60 }, (_, n) => join(app.visitor({ address: `203.0.113.${n}` }), eventId));
      statuses.push(...statusesOf(await Promise.all(asking)));
      await app.advance({ minutes: 2 });
    }

    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 409)).toHaveLength(1800 - LIMIT);
    expect((await pollRoom(app, eventId)).draw?.size).toBe(LIMIT);
  });

  it('are unlimited from the start on, behind everyone in the draw [ROOM-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10, 6_000);
    const answers = await arrive(eventId, LIMIT + 1);
    await app.advance({ minutes: 10 });

    const positions = await Promise.all(
      answers.map(async ({ visitor }) => (await join(visitor, eventId)).body.position),
    );
    expect(positions.slice(0, LIMIT).toSorted()).toEqual(granted.map((_, index) => index + 1));
    expect(positions[LIMIT]).toBe(LIMIT + 1);

    await app.advance({ seconds: 1 });
    const ninth = answers[LIMIT];
    expect(ninth && (await tryCheckout(ninth.visitor, eventId))).toMatchObject({ status: 200 });
  });

  it('are counted exactly when they arrive together, also on two servers [ROOM-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10);
    const hash = networkHash(app.deps.appSecret, eventId, '203.0.113.1');

    const { arriving, other } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll().forUpdate().execute();
      const arriving = Promise.all(
        Array.from({ length: 5 }, (_, n) => join(app.visitor({ address: `203.0.113.${n}` }), eventId)),
      );
      const other = assignPositions(app.deps.db, [{ eventId, networkHash: hash, count: 5 }], LIMIT);
      await app.untilBlocked(2);
      return { arriving, other };
    });

    const here = statusesOf(await arriving).filter((status) => status === 200).length;
    const there = (await other).reduce((sum, row) => sum + row.granted, 0);
    expect(here + there).toBe(LIMIT);
    expect(await lastPassOf(eventId)).toBe(LIMIT);
  });

  it('are counted again after the start has moved, because the earlier ones are void [ROOM-2]', async () => {
    const { eventId, visitor, sale } = await eventWithWaitingRoom(app, 1);
    await arrive(eventId, LIMIT);
    await app.advance({ minutes: 2 });
    await pollRoom(app, eventId);

    const later = { ...sale, salesStart: inMinutes(app, 30) };
    expectOk(await visitor.call(editEvent, { ...eventForm(app, later), eventId }));
    expect(statusesOf(await arrive(eventId, LIMIT + 1))).toEqual([...granted, 409]);
  });

  it('are not limited on this machine [ROOM-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10);
    for (let n = 0; n <= LIMIT; n++) expectOk(await join(app.visitor({ address: '127.0.0.1' }), eventId));
    expect(await countersOf(eventId)).toEqual([]);
  });
});

describe('the counter of a network', () => {
  it('is purged after the start, and not before [ROOM-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 10);
    await arrive(eventId, 2);

    await purge(app.deps);
    expect(await countersOf(eventId)).toEqual([{ passes: 2 }]);
    await app.advance({ minutes: 10 });
    await purge(app.deps, { pageSize: 1 });
    expect(await countersOf(eventId)).toEqual([]);
  });
});
