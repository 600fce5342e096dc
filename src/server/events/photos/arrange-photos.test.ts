import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { publicEvent } from '#contract/app/events.ts';
import { arrangePhotos, deletePhotos, type PhotoArrangement } from '#contract/app/photos.ts';
import { shareKit } from '#contract/app/records/overview.ts';
import { eventFrame } from '#contract/app/records/workspace.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { ALT_TEXT_MAX } from '#domain/limits.ts';
import { renderEmail } from '#server/emails/send-email.ts';
import { readOrganizerPage } from '#server/events/organizer-page/read-organizer-page.ts';
import { readSeriesPage } from '#server/events/organizer-page/read-series-page.ts';
import { readCover } from '#server/events/photos/read-photo.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

let seller: Awaited<ReturnType<typeof eventOnSale>>;
/** URLs as uploaded. */
let seen: string[];
beforeEach(async () => {
  seller = await eventOnSale(app);
  const half = { left: 0, create: { width: 600, height: 800, channels: 3, background: '#0000ff' } } as const;
  // Red above, blue below.
  const tall = await sharp({ create: { width: 600, height: 1600, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, top: 800, left: 0 }])
    .png()
    .toBuffer();
  const green = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#00ff00' } })
    .png()
    .toBuffer();
  const files = await uploadPhotos(seller.visitor, seller.eventId, [
    ['tall.png', tall],
    ['green.png', green],
    ['again.png', green],
  ]);
  seen = expectOk(files).eventPhotos;
});

const asStored = (urls: readonly string[]): PhotoArrangement['photos'] =>
  urls.map((url) => ({ url, altText: '', focus: null }));

const arrange = (change: Partial<PhotoArrangement>, by = seller.visitor) =>
  by.call(arrangePhotos, { eventId: seller.eventId, seen, photos: asStored(seen), cover: null, ...change });

const shown = async () => expectOk(await app.visitor().call(publicEvent, { eventId: seller.eventId }));

async function colorAt(
  image: Buffer,
  { left, top }: { left: number; top: number },
): Promise<'red' | 'green' | 'blue' | null> {
  const spot = await sharp(image).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  const index = [...spot].findIndex((value) => value > 150);
  return (['red', 'green', 'blue'] as const)[index] ?? null;
}

const focusOnTop = { x: 50, y: 0 };
const focusOnBottom = { x: 50, y: 100 };

/** The first photo with this focus. */
const withFocus = (focus: PhotoArrangement['photos'][number]['focus']) =>
  asStored(seen).map((photo, index) => (index === 0 ? { ...photo, focus } : photo));

async function shareCard(): Promise<Buffer> {
  const reply = await app.visitor().fetch(`/og/${seller.eventId}.png`);
  return Buffer.from(await reply.arrayBuffer());
}

describe('arranging photos', () => {
  it('saves their order, the cover, the focal points and the texts at once [PHOTO-5] [PHOTO-6] [PHOTO-7]', async () => {
    const [first = '', second = '', third = ''] = seen;
    const photos = [
      { url: third, altText: 'The band', focus: null },
      { url: first, altText: '', focus: { x: 20, y: 85 } },
      { url: second, altText: '', focus: null },
    ];
    const reply = expectOk(await arrange({ photos, cover: second }));
    expect(reply.eventPhotos).toEqual([third, first, second]);
    expect(await shown()).toMatchObject({
      eventPhotos: [third, first, second],
      coverPhoto: 2,
      photoDetails: [{ altText: 'The band' }, { focus: { x: 20, y: 85 } }, {}],
    });

    const again = { seen: reply.eventPhotos, photos: asStored(reply.eventPhotos) };
    expectOk(await arrange({ ...again, cover: null }));
    expect(await shown()).not.toHaveProperty('photoDetails');
    expect(await shown()).not.toHaveProperty('coverPhoto');
  });

  it('reaches the cached page and the audit log [PHOTO-5]', async () => {
    expect(await shown()).not.toHaveProperty('coverPhoto');
    expectOk(await arrange({ cover: seen[2] ?? null }));
    await expect.poll(shown).toHaveProperty('coverPhoto', 2);
    const edits = app.db
      .selectFrom('auditEvents')
      .where('eventId', '=', seller.eventId)
      .where('action', '=', 'edit-event');
    // The upload and the arrangement.
    expect(await edits.select('actorId').execute()).toHaveLength(2);
  });

  it('takes paths in place of URLs', async () => {
    const paths = seen.map((url) => new URL(url).pathname);
    expectOk(await arrange({ seen: paths, photos: asStored(paths.toReversed()), cover: paths[1] ?? '' }));
    expect(await shown()).toMatchObject({ eventPhotos: seen.toReversed(), coverPhoto: 1 });
  });

  it.each([
    ['left of the photo', { x: -5, y: 50 }],
    ['below the photo', { x: 50, y: 105 }],
    ['between two steps', { x: 50, y: 33 }],
    ['at no number', { x: Number.NaN, y: 50 }],
  ])('rejects a focal point %s [PHOTO-6]', async (_, focus) => {
    expect(await arrange({ photos: withFocus(focus) })).toMatchObject({ status: 400, body: { code: 'form.invalid' } });
    expect(await shown()).not.toHaveProperty('photoDetails');
  });

  it('limits a text [PHOTO-7]', async () => {
    const photos = asStored(seen).map((photo) => ({ ...photo, altText: 'x'.repeat(ALT_TEXT_MAX + 1) }));
    expect(await arrange({ photos })).toMatchObject({ status: 400, body: { code: 'photo.alt-text-too-long' } });
  });

  it('saves nothing if a photo was added or deleted, or another order was saved [PHOTO-5]', async () => {
    const [first = ''] = seen;
    expectOk(await arrange({ photos: asStored(seen.toReversed()) }));
    expect(await arrange({ cover: first })).toMatchObject({ status: 409, body: { code: 'photo.changed' } });

    const order = seen.toReversed();
    expectOk(await seller.visitor.call(deletePhotos, { eventId: seller.eventId, photosToDelete: [first] }));
    const outdated = { seen: order, photos: asStored(order), cover: first };
    expect(await arrange(outdated)).toMatchObject({ status: 409, body: { code: 'photo.changed' } });
    expect(await shown()).not.toHaveProperty('coverPhoto');
  });

  it('waits for a photo that is being deleted [PHOTO-5]', async () => {
    const { arranging } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', seller.eventId).select('id').forUpdate().execute();
      const sent = arrange({ cover: seen[2] ?? null });
      await app.untilBlocked();
      const [, , fileName = ''] = seen.map((url) => url.split('/').at(-1) ?? '');
      await tx
        .deleteFrom('eventPhotos')
        .where('eventId', '=', seller.eventId)
        .where('fileName', '=', fileName)
        .execute();
      return { arranging: sent };
    });
    expect(await arranging).toMatchObject({ status: 409, body: { code: 'photo.changed' } });
  });

  it('knows only photos of the event, each once [PHOTO-5]', async () => {
    const other = await eventOnSale(app);
    const [theirs = ''] = expectOk(
      await uploadPhotos(other.visitor, other.eventId, [
        [
          '1.png',
          await sharp(await shareCard())
            .png()
            .toBuffer(),
        ],
      ]),
    ).eventPhotos;
    const unknown = { status: 404, body: { code: 'photo.unknown' } };
    const [first = '', second = ''] = seen;
    for (const url of [theirs, 'https://evil.example/photos/x.webp', '', `${app.publicUrl}/photos/../etc`]) {
      expect(await arrange({ photos: asStored([first, second, url]) })).toMatchObject(unknown);
      expect(await arrange({ cover: url })).toMatchObject(unknown);
    }
    for (const photos of [[first, second], [first, second, second], []])
      expect(await arrange({ photos: asStored(photos) })).toMatchObject({
        status: 400,
        body: { code: 'photo.not-arranged' },
      });
    expect(await arrange({}, other.visitor)).toMatchObject({ status: 404, body: { code: 'event.not-found' } });
  });
});

describe('a focal point', () => {
  it('decides what the share card, the share kit and every cover show [PHOTO-6]', async () => {
    const pictures = async () => ({
      card: await colorAt(await shareCard(), { left: 600, top: 100 }),
      kit: await colorAt(
        Buffer.from(
          await (
            await seller.visitor.fetch(shareKit.path.replace(':eventId', seller.eventId).replace(':kind', 'square'))
          ).arrayBuffer(),
        ),
        { left: 540, top: 250 },
      ),
      cover: await colorAt(await readCover(app.deps, seller.eventId, { width: 180, height: 180, format: 'png' }), {
        left: 90,
        top: 90,
      }),
    });
    expectOk(await arrange({ photos: withFocus(focusOnTop) }));
    await expect.poll(pictures).toEqual({ card: 'red', kit: 'red', cover: 'red' });
    expectOk(await arrange({ photos: withFocus(focusOnBottom) }));
    await expect.poll(pictures).toEqual({ card: 'blue', kit: 'blue', cover: 'blue' });
    expectOk(await arrange({ photos: withFocus(focusOnBottom), cover: seen[1] ?? null }));
    await expect.poll(pictures).toEqual({ card: 'green', kit: 'green', cover: 'green' });
  });

  it('comes with the cover wherever one is shown [PHOTO-6]', async () => {
    expectOk(await arrange({ photos: withFocus(focusOnBottom), cover: seen[0] ?? null }));
    const cover = { photo: seen[0], photoFocus: focusOnBottom };
    expect(expectOk(await seller.visitor.call(eventFrame, { eventId: seller.eventId }))).toMatchObject(cover);
    const slug = 'cooperage-photos';
    expectOk(await seller.visitor.call(editOrganizationPage, { slug }));
    expect((await readOrganizerPage(app.deps, slug))?.page.events).toMatchObject([cover]);
    const { seriesId } = await weeklySeries(seller, 1);
    expect((await readSeriesPage(app.deps, seriesId))?.page.cover).toMatchObject(cover);

    const toAddress = 'cover@example.com';
    const { sessionId } = await buyTickets(app, seller.eventId, generalAdmission(1), toAddress);
    const { id } = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', sessionId)
      .select('id')
      .executeTakeFirstOrThrow();
    const row = { kind: 'tickets', subjectId: id, toAddress, params: { eventId: seller.eventId } };
    const strip = async () => {
      const email = await renderEmail(app.deps, row);
      return email?.attachments.find(({ fileName }) => fileName === 'cover.jpg')?.content ?? Buffer.alloc(0);
    };
    expect(await colorAt(Buffer.from(await strip()), { left: 600, top: 160 })).toBe('blue');
    expectOk(await arrange({ photos: withFocus(focusOnTop) }));
    expect(await colorAt(Buffer.from(await strip()), { left: 600, top: 160 })).toBe('red');
  });
});
