/** Adding and deleting photos. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { addPhotos, deletePhotos } from '#contract/app/photos.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const NO_EVENT = 'AAAAAAAAAAAAAAAA';
let app: TestApp;
let owner: Awaited<ReturnType<typeof newOrganizer>>;
let stranger: Awaited<ReturnType<typeof newOrganizer>>;
let photo: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  [owner, stranger] = [await newOrganizer(app), await newOrganizer(app)];
  const image = sharp({ create: { width: 9, height: 6, channels: 3, background: '#ffc23c' } }).png();
  photo = new Uint8Array(await image.toBuffer());
});
afterAll(() => app.close());

let eventId: string;
let photos: string[];
beforeEach(async () => {
  eventId = (await soldOrder(app.db, { organizerEmail: owner.email })).eventId;
  ({ eventPhotos: photos } = (await upload(['a.png', 'b.png'])).body);
});

interface Sent {
  by?: Visitor;
  to?: string | null;
  /** Fields before the files. */
  fields?: [string, string][];
}

function upload(names: string[], { by = owner.visitor, to = eventId, fields = [] }: Sent = {}) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const name of names) form.append('images', new Blob([photo], { type: 'image/png' }), name);
  if (to !== null) form.append('eventId', to);
  return by.request<{ eventPhotos: string[] }>(addPhotos.path, { method: 'POST', body: form });
}

const remove = (photosToDelete: unknown, { to = eventId, by = owner.visitor }: { to?: string; by?: Visitor } = {}) =>
  by.send(deletePhotos, { eventId: to, photosToDelete });
const storedFiles = async () => (await readdir(app.photoFolder)).sort();
const photosOf = async (of: string) =>
  (await app.db.selectFrom('eventPhotos').where('eventId', '=', of).select('fileName').execute()).length;

describe('POST /api/protected/add-photos', () => {
  it("answers for another organizer's event as for an unknown one, and stores nothing", async () => {
    const before = await storedFiles();

    const replies = [];
    for (const to of [eventId, NO_EVENT]) {
      const { status, body } = await upload(['a.png'], { by: stranger.visitor, to });
      replies.push({ status, body });
    }

    expect(replies).toEqual(Array(2).fill({ status: 404, body: expect.objectContaining({ code: 'event.not-found' }) }));
    expect(await storedFiles()).toEqual(before);
    expect((await upload(['a.png'], { by: app.visitor() })).status).toBe(401);
  });

  it('authorizes the event that the form names last, not an earlier one', async () => {
    const own = (await soldOrder(app.db, { organizerEmail: stranger.email })).eventId;

    const reply = await upload(['a.png'], { by: stranger.visitor, to: eventId, fields: [['eventId', own]] });

    expect(reply.status).toBe(404);
    expect(await photosOf(eventId)).toBe(2);
    expect((await upload(['a.png'], { to: null })).status).toBe(400);
  });

  it.each(['../../evil.png', '/etc/cron.d/evil', 'C:\\evil.png', 'a\u0000.png', '.webp', 'x'.repeat(900)])(
    'stores nothing of the file name %j',
    async (name) => {
      const { status, body } = await upload([name]);

      expect(status).toBe(200);
      for (const url of body.eventPhotos) expect(new URL(url).pathname).toMatch(/^\/photos\/[0-9a-f]{32}\.webp$/);
      for (const file of await storedFiles()) expect(file).toMatch(/^[0-9a-f]{32}\.webp$/);
    },
  );
});

describe('POST /api/protected/delete-photos', () => {
  const [first, name] = [() => photos[0] ?? '', () => new URL(photos[0] ?? '').pathname.split('/').at(-1)];

  it.each([
    ['by a path outside the folder', () => '/photos/../secret.webp'],
    ['by a path that returns into the folder', () => `/photos/../photos/${name()}`],
    ['by a file system path', () => join(app.photoFolder, name() ?? '')],
    ['by its bare name', () => name()],
    ['at another host', () => `https://evil.example/photos/${name()}`],
    ['on a host that starts like ours', () => `${app.publicUrl}.evil.example/photos/${name()}`],
    ['under another scheme', () => `javascript:/photos/${name()}`],
    ['with more behind it', () => `${first()}?x=1`],
    ['with a line behind it', () => `${first()}\n`],
    ['percent-encoded', () => `/photos/%2e%2e/photos/${name()}`],
    ['unknown', () => `/photos/${'0'.repeat(32)}.webp`],
    ['as an empty string', () => ''],
  ])('deletes nothing when one photo id is %s', async (_what, other) => {
    const files = await storedFiles();

    const reply = await remove([photos[1], other()]);

    expect({ status: reply.status, body: reply.body }).toEqual({
      status: 404,
      body: expect.objectContaining({ code: 'photo.unknown' }),
    });
    expect(await storedFiles()).toEqual(files);
    expect(await photosOf(eventId)).toBe(2);
  });

  it('deletes no file next to the photos', async () => {
    await writeFile(join(app.photoFolder, `${'f'.repeat(32)}.webp`), 'not of any event');

    expect((await remove([`/photos/${'f'.repeat(32)}.webp`])).status).toBe(404);
    expect(await storedFiles()).toContain(`${'f'.repeat(32)}.webp`);
  });

  it('deletes no photo of another event, even together with own ones', async () => {
    const theirs = (await soldOrder(app.db, { organizerEmail: stranger.email })).eventId;
    const { eventPhotos } = (await upload(['a.png'], { by: stranger.visitor, to: theirs })).body;

    expect((await remove([first(), ...eventPhotos])).status).toBe(404);
    expect(await photosOf(theirs)).toBe(1);
    expect(await photosOf(eventId)).toBe(2);
  });

  it("answers for another organizer's event as for an unknown one", async () => {
    const replies = [];
    for (const to of [eventId, NO_EVENT]) {
      const { status, body } = await remove(photos, { to, by: stranger.visitor });
      replies.push({ status, body });
    }

    expect(replies).toEqual(Array(2).fill({ status: 404, body: expect.objectContaining({ code: 'event.not-found' }) }));
    expect(await photosOf(eventId)).toBe(2);
  });

  it.each([
    ['a string instead of a list', () => first()],
    ['numbers', () => [1]],
    ['nested lists', () => [[first()]]],
    ['too many ids', () => Array.from({ length: 51 }, () => first())],
  ])('rejects %s', async (_what, selection) => {
    expect((await remove(selection())).status).toBe(400);
    expect(await photosOf(eventId)).toBe(2);
  });
});
