import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deletePhotos } from '#contract/app/photos.ts';
import { errorText } from '#messages/errors.ts';
import { photosDeleted } from '#messages/photos.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type PhotoFile, uploadPhotos } from '#tests/support/upload-photos.ts';

let app: TestApp;
let organizer: Awaited<ReturnType<typeof newOrganizer>>;
let image: Buffer;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  organizer = await newOrganizer(app);
  image = await sharp({ create: { width: 9, height: 6, channels: 3, background: '#ffc23c' } })
    .png()
    .toBuffer();
});
afterAll(() => app.close());

/** How often the audit log has an edit of the event. */
async function countEdits(): Promise<number> {
  const edits = app.db.selectFrom('auditEvents').where('eventId', '=', eventId).where('action', '=', 'edit-event');
  return (await edits.select('actorId').execute()).length;
}

let eventId: string;
let photos: string[];
beforeEach(async () => {
  eventId = await newEvent();
  photos = await upload(3);
});

const newEvent = async () => (await soldOrder(app.db, { organizerEmail: organizer.email })).eventId;
const remove = (photosToDelete: string[], to = eventId, by = organizer.visitor) =>
  by.call(deletePhotos, { eventId: to, photosToDelete });
const storedFiles = async () => (await readdir(app.photoFolder)).sort();
const fileName = (url: string | undefined) => url?.split('/').at(-1) ?? '';
const photosLeft = async () => {
  const rows = await app.db.selectFrom('eventPhotos').where('eventId', '=', eventId).select('fileName').execute();
  return rows.map((row) => row.fileName).sort();
};

async function upload(count: number, to = eventId): Promise<string[]> {
  const files = Array.from({ length: count }, (_, index): PhotoFile => [`${index}.png`, image]);
  return (await uploadPhotos(organizer.visitor, to, files)).body.eventPhotos;
}

describe('deleting photos', () => {
  it('removes the selected photos and their files, and returns the remaining ones [PHOTO-3]', async () => {
    const [first = '', second = '', third = ''] = photos;

    const reply = await remove([third, first, first]);

    expect([reply.status, reply.body]).toEqual([200, { msg: photosDeleted, eventPhotos: [second] }]);
    expect(photosDeleted).toBe('Selected photos deleted successfully!');
    expect((await app.visitor().fetch(new URL(first).pathname)).status).toBe(404);
    expect((await app.visitor().fetch(new URL(second).pathname)).status).toBe(200);
    expect(await storedFiles()).not.toContain(fileName(third));
  });

  it('is an edit in the audit log, as adding them is [AUDIT-1]', async () => {
    expect(await countEdits()).toBe(1);

    await remove(photos);

    expect(await countEdits()).toBe(2);
  });

  it('accepts a path without the host, as sent by a page on another host [PHOTO-3]', async () => {
    const [first = '', second = ''] = photos;

    expect((await remove([first, new URL(second).pathname])).body.eventPhotos).toEqual([photos[2]]);
  });

  it('refuses an empty selection with the message of the screen [PHOTO-4]', async () => {
    expect(await remove([])).toMatchObject({ status: 400, body: { msg: 'No photos selected for deletion.' } });
    expect(errorText('photo.none-selected')).toBe('No photos selected for deletion.');
  });

  it.each([
    ['unknown', `/photos/${'0'.repeat(32)}.webp`],
    ['a path outside the folder', '/photos/../../app-secret'],
    ['a file URL', 'file:///etc/passwd'],
    ['an invalid URL', 'http://['],
  ])('deletes nothing if one is %s [PHOTO-3]', async (_what, url) => {
    const files = await storedFiles();

    expect(await remove([photos[0] ?? '', url])).toMatchObject({ status: 404, body: { code: 'photo.unknown' } });
    expect(await photosLeft()).toEqual(photos.map(fileName).sort());
    expect(await storedFiles()).toEqual(files);
  });

  it("deletes nothing from another event, even the same organizer's [PHOTO-3]", async () => {
    const other = await newEvent();
    const [otherPhoto = ''] = await upload(1, other);

    expect((await remove([photos[0] ?? '', otherPhoto])).status).toBe(404);
    expect(await photosLeft()).toHaveLength(3);
    expect((await app.visitor().fetch(new URL(otherPhoto).pathname)).status).toBe(200);
  });

  it('is limited to the organizer of the event [PHOTO-3]', async () => {
    const stranger = await newOrganizer(app);

    expect(await remove(photos, eventId, stranger.visitor)).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
    expect((await remove(photos, eventId, app.visitor())).status).toBe(401);
    expect(await photosLeft()).toHaveLength(3);
  });

  it('lets one of two concurrent deletions of a photo win', async () => {
    const [first = '', second = ''] = photos;
    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      const sent = [remove([first, second]), remove([second])];
      await app.untilBlocked(2);
      return { replies: sent };
    });

    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('appends later uploads', async () => {
    await remove(photos.slice(0, 2));

    const shown = await upload(1);

    expect(shown).toHaveLength(2);
    expect(shown[0]).toBe(photos[2]);
  });
});
