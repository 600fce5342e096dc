/** Photos from strangers: what they decompress to, what they hide, and what a failed upload leaves. */
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPhotos } from '#contract/app/photos.ts';
import { errorText } from '#messages/errors.ts';
import { photosUploaded } from '#messages/photos.ts';
import { renderPhoto } from '#server/events/photos/render-photo.ts';
import { sweepPhotos } from '#server/events/photos/sweep-photos.ts';
import { IMAGE_POLICY } from '#server/platform/http/headers.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { openRaw } from '#tests/support/raw-connection.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type PhotoFile, uploadPhotos } from '#tests/support/upload-photos.ts';

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

const upload = (...files: PhotoFile[]) => uploadPhotos(organizer.visitor, eventId, files);

async function organizerWithEvent() {
  const { visitor, email } = await newOrganizer(app);
  return { visitor, eventId: (await soldOrder(app.db, { organizerEmail: email })).eventId };
}

const uploadsLeft = () => readdir(join(app.photoFolder, '../uploads')).catch((): string[] => []);
const photosLeft = () => readdir(app.photoFolder).catch((): string[] => []);
const rowsLeft = () => app.db.selectFrom('eventPhotos').where('eventId', '=', eventId).select('fileName').execute();

async function shown(url: string | undefined): Promise<Buffer> {
  const reply = await app.visitor().fetch(new URL(url ?? '').pathname);
  return Buffer.from(await reply.arrayBuffer());
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});
const crc = (bytes: Buffer) => {
  let c = 0xffffffff;
  for (const byte of bytes) c = (crcTable[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
};

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc(named));
  return Buffer.concat([length, named, sum]);
}

/** A PNG that declares a size, whatever its pixels. */
function png(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const pixels = (bytes: number) => chunk('IDAT', deflateSync(Buffer.alloc(bytes)));
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ffc23c' }, limitInputPixels: false });
/** Declares 65,500 by 65,500 pixels, with a scan of a few bytes. */
async function hugeJpeg(): Promise<Buffer> {
  const jpeg = await plain(16, 16).jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(65_500, frame + 5);
  jpeg.writeUInt16BE(65_500, frame + 7);
  return jpeg;
}

/** The largest size that the format can declare, in a few bytes. */
function hugeWebp(): Buffer {
  const canvas = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0', 'latin1');
  canvas.writeUInt32LE(canvas.length - 8, 4);
  return canvas;
}

const TOO_MANY = 'photo.too-many-pixels';
const NOT_A_PHOTO = 'photo.not-a-photo';

describe(`POST ${addPhotos.path}`, () => {
  const refused: [string, typeof TOO_MANY | typeof NOT_A_PHOTO, () => Buffer | Promise<Buffer>][] = [
    ['a PNG of 41 megapixels in a few kilobytes', TOO_MANY, () => png(8000, 5125, pixels(8000 * 3))],
    ['a PNG of four thousand million pixels', TOO_MANY, () => png(65_535, 65_535, pixels(3))],
    ['a PNG of 2,147,483,647 by 1', NOT_A_PHOTO, () => png(2_147_483_647, 1, pixels(3))],
    ['a JPEG of 65,500 by 65,500', TOO_MANY, hugeJpeg],
    ['a WebP of 16,384 by 16,384 without image data', NOT_A_PHOTO, hugeWebp],
    ['a PNG without pixels', NOT_A_PHOTO, () => png(0, 0, pixels(0))],
    ['a truncated PNG', NOT_A_PHOTO, () => png(4000, 4000, pixels(4000 * 3 * 10))],
    [
      'a PNG with more pixel data than it declares',
      NOT_A_PHOTO,
      () => png(4, 4, chunk('IDAT', Buffer.from('no zlib'))),
    ],
    ['a truncated JPEG', NOT_A_PHOTO, async () => (await noise()).subarray(0, 9_000)],
    ['a GIF', NOT_A_PHOTO, () => plain(4, 4).gif().toBuffer()],
    ['a TIFF', NOT_A_PHOTO, () => plain(4, 4).tiff().toBuffer()],
    ['an AVIF, and so every HEIC', NOT_A_PHOTO, () => plain(4, 4).avif().toBuffer()],
    [
      'an SVG',
      NOT_A_PHOTO,
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'),
    ],
    ['a PDF', NOT_A_PHOTO, () => Buffer.from('%PDF-1.7\n1 0 obj')],
    ['the first bytes of a JPEG only', NOT_A_PHOTO, () => Buffer.from([0xff, 0xd8, 0xff])],
  ];

  const noise = () =>
    sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 99, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();

  it.each(refused)('rejects %s, and stores nothing of it', async (_what, code, make) => {
    const before = await photosLeft();
    const bomb = await make();
    expect(bomb.length).toBeLessThan(200_000);

    const reply = await upload(['good.jpg', await noise()], ['bomb', bomb]);

    expect([reply.status, reply.body]).toEqual([400, errorBody(code, { fileName: 'bomb' })]);
    expect(await rowsLeft()).toEqual([]);
    expect(await photosLeft()).toEqual(before);
    expect(await uploadsLeft()).toEqual([]);
  });

  it('shows only the first frame of an animation', async () => {
    const frames = await Promise.all(['#f00', '#00f'].map((background) => frame(background)));
    const animated = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    expect((await sharp(animated).metadata()).pages).toBe(2);

    const { body } = await upload(['moving.webp', animated]);

    const photo = await shown(body.eventPhotos[0]);
    const [red = 0, , blue = 0] = await sharp(photo).raw().toBuffer();
    expect([(await sharp(photo).metadata()).pages ?? 1, red > 200, blue < 50]).toEqual([1, true, true]);
  });

  const frame = (background: string) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background } })
      .png()
      .toBuffer();

  it('removes location, color profile, comments, and data after the image', async () => {
    const secrets = ['GPS-SECRET', 'XMP-SECRET', 'TEXT-SECRET', 'TAIL-SECRET'];
    const [gps = '', xmp = '', text = '', tail = ''] = secrets;
    const jpeg = await plain(40, 40)
      .jpeg()
      .withExif({ IFD0: { ImageDescription: gps } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${xmp}</a></x:xmpmeta>`)
      .withIccProfile('p3')
      .toBuffer();
    const written = png(4, 4, chunk('tEXt', Buffer.from(`Comment\0${text}`)), pixels((4 * 3 + 1) * 4));
    const files = [jpeg, written].map(
      (file): PhotoFile => ['a', Buffer.concat([file, Buffer.from(`<script>${tail}`)])],
    );

    const { status, body } = await upload(...files);

    expect([status, body.msg]).toEqual([200, photosUploaded]);
    for (const url of body.eventPhotos) {
      const photo = await shown(url);
      for (const secret of secrets) expect(photo.includes(secret)).toBe(false);
      const { exif, icc, xmp: kept, comments } = await sharp(photo).metadata();
      expect([exif, icc, kept, comments]).toEqual([undefined, undefined, undefined, undefined]);
    }
  });

  it.each([
    ['with parent folders', '../../evil.webp'],
    ['with an absolute path', '/etc/cron.d/evil'],
    ['with Windows separators', 'a\\..\\evil.webp'],
    ['with a NUL', 'evil.webp\0.jpg'],
    ['that is hidden', '.htaccess'],
    ['of 5,000 letters', 'x'.repeat(5000)],
  ])('takes no path from the file name %s', async (_how, name) => {
    const { body } = await upload([name, await noise()]);

    for (const url of body.eventPhotos) expect(url).toMatch(/\/photos\/[0-9a-f]{32}\.webp$/);
    for (const file of await photosLeft()) expect(file).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect(await uploadsLeft()).toEqual([]);
  });

  it('rejects more than 110 MB by the declared length', async () => {
    const cookie = [...organizer.visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const connection = await openRaw(app.publicUrl);
    connection.send(
      `POST ${addPhotos.path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: 115343361\r\n\r\n--b\r\n`,
    );

    await expect.poll(() => connection.received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(connection.received()).toContain('request.too-large');
    connection.leave();
  });

  it('stores nothing of an aborted upload', async () => {
    const cookie = [...organizer.visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const connection = await openRaw(app.publicUrl);
    connection.send(
      `POST ${addPhotos.path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        `content-length: 5000000\r\n\r\n--b\r\ncontent-disposition: form-data; name="images"; filename="a.jpg"\r\n\r\n${'a'.repeat(100_000)}`,
    );
    await expect.poll(uploadsLeft).toHaveLength(1);

    connection.leave();
    await expect.poll(uploadsLeft).toEqual([]);
    expect(await rowsLeft()).toEqual([]);
  });
});

describe('endless uploads', () => {
  it('do not block others: an organizer may have three, and the next is not read', async () => {
    const cookie = [...organizer.visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const slow = await Promise.all(Array.from({ length: 16 }, () => openRaw(app.publicUrl)));
    for (const connection of slow)
      connection.send(
        `POST ${addPhotos.path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
          `content-length: 5000000\r\n\r\n--b\r\ncontent-disposition: form-data; name="images"; filename="a.jpg"\r\n\r\na`,
      );
    const answers = () => slow.map((connection) => connection.received()).filter(Boolean);
    await expect.poll(() => answers().length).toBe(13);
    const other = await organizerWithEvent();
    const small: PhotoFile = ['a.png', png(4, 4, pixels((4 * 3 + 1) * 4))];

    expect((await uploadPhotos(other.visitor, other.eventId, [small])).status).toBe(200);

    expect(await uploadsLeft()).toHaveLength(3);
    for (const answer of answers()) {
      expect(answer).toMatch(/^HTTP\/1\.1 429 /);
      expect(answer).toMatch(/^retry-after: 10\r$/m);
      expect(answer).toContain('photo.uploads-under-way');
    }
    for (const connection of slow) connection.leave();
    await expect.poll(uploadsLeft).toEqual([]);
    expect((await upload(small)).status).toBe(200);
  });
});

describe('concurrent decompression bombs', () => {
  // Half the maximum size, so that a slow machine finishes in time.
  const wide = () => plain(7900, 2500);
  const TOO_SLOW = errorText('photo.too-slow', { fileName: 'bomb.jpg' });

  it('are decoded outside the server process, which answers other requests meanwhile', async () => {
    // Progressive with an orientation, so that it must be decoded in full to be rotated.
    const bomb = await wide().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer();
    expect(bomb.length).toBeLessThan(500_000);
    const some = [await organizerWithEvent(), await organizerWithEvent()];
    let answered = 0;
    let drawnHere = 0;
    let isOver = false;

    const uploads = Promise.all(
      [...some, ...some].map((one) => uploadPhotos(one.visitor, one.eventId, [['bomb.jpg', bomb]])),
    );
    void uploads.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      expect((await app.visitor().fetch('/livez')).status).toBe(200);
      answered++;
      const { queue, process } = sharp.counters();
      drawnHere += queue + process;
    }

    for (const { status, body } of await uploads)
      expect([
        [200, photosUploaded],
        [400, TOO_SLOW],
      ]).toContainEqual([status, body.msg]);
    // This process runs the server: a photo decoded elsewhere costs it none of the 59 MB.
    expect(drawnHere).toBe(0);
    // On any machine, many requests are answered during one photo unless they wait for it.
    expect(answered).toBeGreaterThan(40);
  });

  it('are stopped when they take too long, and the next photo is processed', async () => {
    const photo = await wide().png().toBuffer();

    expect(await renderPhoto(photo, 1)).toBe('too-slow');
    expect(await renderPhoto(photo)).toBeInstanceOf(Buffer);
  });
});

describe('the photo sweep', () => {
  const OLD = new Date(Date.now() - 25 * 60 * 60 * 1000);
  const orphan = (digit: string) => join(app.photoFolder, `${digit.repeat(32)}.webp`);

  it('removes day-old files that belong to no event, and reports photos whose file is missing', async () => {
    const { body } = await upload(
      ['a.png', png(4, 4, pixels((4 * 3 + 1) * 4))],
      ['b.png', png(4, 4, pixels((4 * 3 + 1) * 4))],
    );
    const [kept = '', lost = ''] = body.eventPhotos.map((url) => join(app.photoFolder, url.split('/').at(-1) ?? ''));
    for (const digit of ['a', 'b']) writeFileSync(orphan(digit), 'left behind');
    writeFileSync(`${orphan('c')}.part`, 'half written');
    writeFileSync(join(app.photoFolder, 'README'), 'not ours');
    for (const file of [kept, lost, orphan('a'), `${orphan('c')}.part`, join(app.photoFolder, 'README')])
      utimesSync(file, OLD, OLD);
    await app.deps.photos.remove(lost.split('/').at(-1) ?? '');
    await app.db.updateTable('eventPhotos').set({ createdAt: OLD }).where('eventId', '=', eventId).execute();

    const reported: unknown[] = [];
    const log = Object.assign(Object.create(app.deps.log), { error: (details: unknown) => reported.push(details) });
    await sweepPhotos({ ...app.deps, log });

    expect(existsSync(kept)).toBe(true);
    expect([existsSync(orphan('a')), existsSync(`${orphan('c')}.part`)]).toEqual([false, false]);
    expect([existsSync(orphan('b')), existsSync(join(app.photoFolder, 'README'))]).toEqual([true, true]);
    expect(reported).toEqual([expect.objectContaining({ count: 1 })]);
    expect(await rowsLeft()).toHaveLength(2);
  });
});

describe('GET /photos/:fileName', () => {
  it('is an image and never a page, under a name that is never reused', async () => {
    const { body } = await upload(['a.png', png(4, 4, pixels((4 * 3 + 1) * 4))]);
    const path = new URL(body.eventPhotos[0] ?? '').pathname;

    for (const address of [path, `${path}?w=800`, `${path}?w=1&w=2`]) {
      const { headers } = await app.visitor().fetch(address);
      expect(headers.get('content-type')).toBe('image/webp');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe(IMAGE_POLICY);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });
});
