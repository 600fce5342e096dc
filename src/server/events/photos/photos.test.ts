import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPhotos } from '#contract/app/photos.ts';
import { PHOTO_BYTES_MAX, PHOTOS_PER_EVENT_MAX } from '#domain/limits.ts';
import { photosUploaded } from '#messages/photos.ts';
import { IMAGE_POLICY } from '#server/platform/http/headers.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let organizer: Awaited<ReturnType<typeof newOrganizer>>;
let eventId: string;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  organizer = await newOrganizer(app);
});
beforeEach(async () => {
  ({ eventId } = await soldOrder(app.db, { organizerEmail: organizer.email }));
});
afterAll(() => app.close());

type File = [name: string, content: Buffer, contentType?: string];

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ffc23c' } });
const jpeg = (width = 60, height = 40) => plain(width, height).jpeg().toBuffer();

async function upload(files: File[], { to = eventId, by = organizer.visitor, eventIdFirst = false } = {}) {
  const form = new FormData();
  if (eventIdFirst) form.append('eventId', to);
  for (const [name, content, type = 'image/jpeg'] of files)
    form.append('images', new Blob([new Uint8Array(content)], { type }), name);
  if (!eventIdFirst) form.append('eventId', to);
  return by.request<{ msg: string; eventPhotos: string[] }>(addPhotos.path, { method: 'POST', body: form });
}

async function fetchPhoto(url: string | undefined) {
  const reply = await app.visitor().fetch(new URL(url ?? '').pathname);
  return { reply, content: Buffer.from(await reply.arrayBuffer()) };
}

const storedFiles = () => readdir(app.photoFolder).catch((): string[] => []);
const photoRows = () => app.db.selectFrom('eventPhotos').selectAll().where('eventId', '=', eventId).execute();

describe('adding photos', () => {
  it.each([
    ['JPEG', () => plain(60, 40).jpeg().toBuffer()],
    ['PNG', () => plain(60, 40).png().toBuffer()],
    ['WebP', () => plain(60, 40).webp().toBuffer()],
  ])('accepts a %s and serves it as WebP, cacheable forever', async (_format, make) => {
    const { status, body } = await upload([['party.bin', await make(), 'application/octet-stream']]);

    expect([status, body.msg]).toEqual([200, photosUploaded]);
    const { reply, content } = await fetchPhoto(body.eventPhotos[0]);
    expect(body.eventPhotos[0]).toMatch(new RegExp(`^${app.publicUrl}/photos/[0-9a-f]{32}\\.webp$`));
    expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/webp');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-security-policy')).toBe(IMAGE_POLICY);
  });

  it('keeps the order of an upload, wherever the form has the event ID', async () => {
    await upload([
      ['a.jpg', await jpeg(10, 10)],
      ['b.jpg', await jpeg(20, 20)],
    ]);
    const { body } = await upload([['c.jpg', await jpeg(30, 30)]], { eventIdFirst: true });

    const widths = [];
    for (const url of body.eventPhotos) widths.push((await sharp((await fetchPhoto(url)).content).metadata()).width);
    expect(widths).toEqual([10, 20, 30]);
  });

  it('rotates the photo upright and removes its metadata', async () => {
    const taken = await plain(60, 40)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Sam' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 42/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(taken).metadata()).orientation).toBe(6);
    const { body } = await upload([['party.jpg', taken]]);

    const { content } = await fetchPhoto(body.eventPhotos[0]);
    const { width, height, exif, orientation, icc, xmp } = await sharp(content).metadata();
    expect([width, height]).toEqual([40, 60]);
    expect([exif, orientation, icc, xmp]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('shrinks a large photo to 2000 pixels', async () => {
    const { body } = await upload([['wide.jpg', await jpeg(3000, 1500)]]);

    expect(await sharp((await fetchPhoto(body.eventPhotos[0])).content).metadata()).toMatchObject({
      width: 2000,
      height: 1000,
    });
  });

  it('removes data appended to the image', async () => {
    const payload = '<script>alert(document.domain)</script>';
    const { body } = await upload([['party.jpg', Buffer.concat([await jpeg(), Buffer.from(payload)])]]);

    expect((await fetchPhoto(body.eventPhotos[0])).content.includes(payload)).toBe(false);
  });
});

describe('refusing photos', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const files: [string, () => Promise<Buffer> | Buffer][] = [
    ['an SVG', () => Buffer.from(svg)],
    ['a GIF', () => plain(4, 4).gif().toBuffer()],
    ['a TIFF', () => plain(4, 4).tiff().toBuffer()],
    ['an AVIF', () => plain(4, 4).avif().toBuffer()],
    ['an HTML page that starts like a GIF', () => Buffer.from(`GIF89a/*${svg}*/=1`)],
    [
      'an HTML page that starts like a JPEG',
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(svg)]),
    ],
    ['an HTML page that starts like a WebP', () => Buffer.from(`RIFF\x10\0\0\0WEBP${svg}`, 'latin1')],
    ['a truncated PNG', async () => (await plain(400, 400).png({ compressionLevel: 0 }).toBuffer()).subarray(0, 2000)],
    [
      'a truncated JPEG',
      async () =>
        (
          await sharp({
            create: {
              width: 400,
              height: 400,
              channels: 3,
              background: '#fff',
              noise: { type: 'gaussian', mean: 99, sigma: 40 },
            },
          })
            .jpeg()
            .toBuffer()
        ).subarray(0, 9000),
    ],
    ['an empty file', () => Buffer.alloc(0)],
  ];

  it.each(files)('refuses %s, along with a valid photo in the same upload', async (_what, make) => {
    const before = await storedFiles();
    const { status, body } = await upload([
      ['good.jpg', await jpeg()],
      ['bad.jpg', await make()],
    ]);

    expect([status, body]).toEqual([400, errorBody('photo.not-a-photo', { fileName: 'bad.jpg' })]);
    expect(await photoRows()).toEqual([]);
    expect(await storedFiles()).toEqual(before);
  });

  it('refuses a small file that decodes to too many pixels', async () => {
    const bomb = await plain(8000, 5001).png({ palette: true, colours: 2 }).toBuffer();
    expect(bomb.length).toBeLessThan(100_000);

    const { status, body } = await upload([['bomb.png', bomb]]);
    expect([status, body]).toEqual([400, errorBody('photo.too-many-pixels', { fileName: 'bomb.png' })]);
  });

  it('refuses a file above 10 MB with 413', async () => {
    const large = Buffer.concat([await jpeg(), Buffer.alloc(PHOTO_BYTES_MAX)]);

    expect(await upload([['large.jpg', large]])).toMatchObject({
      status: 413,
      body: errorBody('photo.too-large', { fileName: 'large.jpg' }),
    });
    expect(await photoRows()).toEqual([]);
  });

  it('refuses a form without files with the message of the screen', async () => {
    const noFiles = { status: 400, body: errorBody('photo.no-files') };

    expect(await upload([])).toMatchObject(noFiles);
    expect(await upload([['', Buffer.alloc(0), 'application/octet-stream']])).toMatchObject(noFiles);
  });

  it('refuses a body that is not a form with 415', async () => {
    expect((await organizer.visitor.send(addPhotos, { eventId })).status).toBe(415);
  });

  it("requires a session of the event's organizer", async () => {
    const stranger = await newOrganizer(app);
    const photo: File[] = [['a.jpg', await jpeg()]];

    expect(await upload(photo, { by: stranger.visitor })).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
    expect(await upload(photo, { to: 'no-such-event-id' })).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
    expect((await upload(photo, { by: app.visitor() })).status).toBe(401);
    expect(await photoRows()).toEqual([]);
  });

  it('limits an event to 20 photos, also for concurrent uploads', async () => {
    const photo = await jpeg();
    const twelve = Array.from({ length: 12 }, (_, index): File => [`${index}.jpg`, photo]);
    const before = (await storedFiles()).length;
    const replies = await Promise.all([upload(twelve), upload(twelve)]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.map(({ body }) => body.code ?? body.msg).sort()).toEqual([photosUploaded, 'photo.too-many']);
    expect(await photoRows()).toHaveLength(12);
    expect(await storedFiles()).toHaveLength(before + 12);
    const rest = PHOTOS_PER_EVENT_MAX - 12;
    expect((await upload(twelve.slice(0, rest))).body.eventPhotos).toHaveLength(PHOTOS_PER_EVENT_MAX);
    expect((await upload(twelve.slice(0, 1))).status).toBe(409);
  });
});

describe('serving photos', () => {
  it.each([
    '/photos/00000000000000000000000000000000.webp',
    '/photos/..%2f..%2fapp-secret',
    '/photos/%2e%2e/%2e%2e/app-secret',
    '/photos/',
    '/photos/a.webp',
  ])('returns 404 for %s', async (path) => {
    expect((await app.visitor().fetch(path)).status).toBe(404);
  });
});
