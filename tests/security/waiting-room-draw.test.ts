/** The draw of a waiting room, verified by the code of the event page. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent } from '#contract/app/events.ts';
import type { PublicDraw } from '#contract/app/waiting-room.ts';
import { eventForm, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eventWithWaitingRoom, inMinutes, join, pollRoom } from '#tests/support/waiting-room.ts';
import { checkDraw } from '#web/event-page/on-sale/check-draw.ts';

const EARLY = 6;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

async function drawOf(eventId: string): Promise<PublicDraw> {
  const { draw } = await pollRoom(app, eventId);
  if (!draw) throw new Error('the event has no waiting room');
  return draw;
}

/** Six arrive before the start and one after it, then all are called. */
async function drawnRoom() {
  const { eventId } = await eventWithWaitingRoom(app, 30);
  const early = Array.from({ length: EARLY }, () => app.visitor());
  for (const visitor of early) expectOk(await join(visitor, eventId));
  const { hash } = await drawOf(eventId);
  await app.advance({ minutes: 31 });
  const noteOf = async (visitor: (typeof early)[number]) => ({ hash, ...expectOk(await join(visitor, eventId)) });
  const notes = [];
  for (const visitor of early) notes.push(await noteOf(visitor));
  return { eventId, notes, late: await noteOf(app.visitor()), draw: await drawOf(eventId) };
}

describe('the draw', () => {
  it('is bound by a hash before the start, and its key is public once all have come up [ROOM-5]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 30, 1);
    const drawn = Array.from({ length: 3 }, () => app.visitor());
    for (const visitor of drawn) expectOk(await join(visitor, eventId));
    const before = await drawOf(eventId);
    expect(before).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), key: null, before: 0, size: null });

    // One comes up each minute, so the last of three does after two.
    await app.advance({ minutes: 29 });
    for (const visitor of drawn) expectOk(await join(visitor, eventId));
    await app.advance({ minutes: 2 });
    expectOk(await join(app.visitor(), eventId));
    await expect.poll(() => drawOf(eventId)).toEqual({ ...before, size: 3 });
    await app.advance({ minutes: 1.5 });
    await expect.poll(async () => (await drawOf(eventId)).key).not.toBeNull();
    const { hash, key } = await drawOf(eventId);
    expect(hash).toBe(before.hash);
    expect(
      createHash('sha256')
        .update(Buffer.from(key ?? '', 'hex'))
        .digest('hex'),
    ).toBe(hash);
  });

  it("gives every visitor's position again, also that of a late one [ROOM-5]", async () => {
    const { notes, late, draw } = await drawnRoom();

    expect(notes.map(({ position }) => position).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    for (const note of [...notes, late])
      expect(await checkDraw(note, draw)).toEqual({ recalculated: note.position, isMatch: true });
  });

  it('does not match with another key, a moved position, a late arrival counted as early, or another size [ROOM-5]', async () => {
    const { notes, late, draw } = await drawnRoom();
    const [note] = notes;
    if (!note) throw new Error('nobody arrived');
    const other = { ...draw, key: createHash('sha256').update('another key').digest('hex') };
    const otherHash = createHash('sha256').update(Buffer.from(other.key, 'hex')).digest('hex');

    expect(await checkDraw(note, other)).toMatchObject({ isMatch: false });
    expect(await checkDraw(note, { ...other, hash: otherHash })).toMatchObject({ isMatch: false });
    expect(await checkDraw({ ...note, position: (note.position ?? 0) + 1 }, draw)).toMatchObject({ isMatch: false });
    expect(await checkDraw({ ...late, position: 1 }, draw)).toMatchObject({ recalculated: 7, isMatch: false });
    const amongMany = await Promise.all([...notes, late].map((one) => checkDraw(one, { ...draw, size: 1000 })));
    expect(amongMany).toContainEqual(expect.objectContaining({ isMatch: false }));
  });

  it('has another key for each room, and after a moved start [ROOM-5]', async () => {
    const [first, second] = [await eventWithWaitingRoom(app, 30), await eventWithWaitingRoom(app, 30)];
    const hash = (await drawOf(first.eventId)).hash;
    expect((await drawOf(second.eventId)).hash).not.toBe(hash);

    const salesStart = inMinutes(app, 40);
    const moved = { ...eventForm(app), ...first.sale, salesStart, eventId: first.eventId };
    expectOk(await first.visitor.call(editEvent, moved));
    await expect.poll(async () => (await drawOf(first.eventId)).hash).not.toBe(hash);
  });
});
