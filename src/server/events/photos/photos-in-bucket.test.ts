import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { publicEvent } from '#contract/app/events.ts';
import { deletePhotos } from '#contract/app/photos.ts';
import { openBucket } from '#server/platform/adapters/s3/bucket.ts';
import { s3PhotoStore } from '#server/platform/adapters/s3/s3-photo-store.ts';
import type { PhotoStore } from '#server/platform/ports/photo-store.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { readCoverOrPoster } from './read-photo.ts';
import { sweepPhotos } from './sweep-photos.ts';

let s3: S3Server;
let app: TestApp;
let event: Awaited<ReturnType<typeof eventOnSale>>;
beforeAll(async () => {
  s3 = await startS3Server();
  app = await startTestApp({ runsJobs: false, bucket: { ...s3.bucket, deadlineMs: 3_000 } });
  event = await eventOnSale(app);
});
afterEach(() => s3.heal());
afterAll(async () => {
  await app?.close();
  await s3?.close();
});

const photo = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#ffc23c' } })
    .png()
    .toBuffer();
const upload = async () => uploadPhotos(event.visitor, event.eventId, [['a.png', await photo()]]);
const rows = () => app.db.selectFrom('eventPhotos').select('fileName').where('eventId', '=', event.eventId).execute();

async function view(url: string | undefined, headers: Record<string, string> = {}) {
  const { pathname, search } = new URL(url ?? '');
  const reply = await app.visitor().fetch(pathname + search, { headers });
  return { reply, content: Buffer.from(await reply.arrayBuffer()) };
}

async function uploaded(): Promise<string> {
  const url = expectOk(await upload()).eventPhotos.at(-1);
  if (url === undefined) throw new Error('no photo was stored');
  return url;
}

const filesInBucket = async () => {
  const names = [];
  for await (const { fileName } of app.deps.photos.list()) names.push(fileName);
  return names;
};

const meanOf = async (image: Buffer) => (await sharp(image).stats()).channels.slice(0, 3).map(({ mean }) => mean);
/** After two encoders. */
const isOfPhoto = (color: number[]) => [255, 194, 60].every((mean, index) => Math.abs(mean - (color[index] ?? 0)) < 4);

/** What a server that hasn't read any photo yet sees. */
const forgetful = (): PhotoStore => s3PhotoStore(openBucket({ ...s3.bucket, deadlineMs: 3_000 }));

const HOW = ['hangs', 'resets connections', 'has a problem of its own'] as const;

describe('photos in a bucket', () => {
  it('are shown to everyone, in both sizes [PHOTO-8]', async () => {
    const url = await uploaded();

    for (const address of [url, `${url}?w=800`]) {
      const { reply, content } = await view(address);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 });
    }
  });

  it('are not sent again to a cache that has them, in each size, until they are deleted [PHOTO-10]', async () => {
    const url = await uploaded();
    const tags = [];
    for (const address of [url, `${url}?w=800`]) tags.push((await view(address)).reply.headers.get('etag') ?? '');
    const [etag = ''] = tags;
    expect(new Set(tags).size).toBe(2);
    const before = s3.requests();
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { reply, content } = await view(url, { 'if-none-match': known });
      expect([reply.status, content.length]).toEqual([304, 0]);
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    expect(s3.requests()).toBe(before);
    expect((await view(`${url}?w=800`, { 'if-none-match': etag })).reply.status).toBe(200);

    expectOk(await event.visitor.call(deletePhotos, { eventId: event.eventId, photosToDelete: [url] }));
    const { reply } = await view(url, { 'if-none-match': etag });
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('a bucket that fails', () => {
  it.each(HOW)('refuses uploads when it %s, and leaves no row and no object [PHOTO-9]', async (how) => {
    const before = [await rows(), await filesInBucket()];
    s3.fail(how);
    const refused = await upload();
    expect([refused.status, refused.body.code]).toEqual([503, 'photo.not-saved']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await app.visitor().call(publicEvent, { eventId: event.eventId })).status).toBe(200);

    s3.heal();
    expect([await rows(), await filesInBucket()]).toEqual(before);
  });

  it.each(HOW)('answers 503 for a photo when it %s, which no cache keeps [PHOTO-9]', async (how) => {
    const url = await uploaded();
    s3.fail(how);
    app.deps.photos = forgetful();

    const { reply } = await view(url);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '10']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('leaves the poster on tickets and passes, and the photo once it is back [PHOTO-9]', async () => {
    const { eventId } = await eventOnSale(app);
    const size = { width: 60, height: 30, format: 'png' } as const;
    const poster = await readCoverOrPoster(app.deps, eventId, size);
    await uploaded();
    s3.fail('resets connections');
    app.deps.photos = forgetful();
    const withoutPhoto = await readCoverOrPoster(app.deps, event.eventId, size);
    s3.heal();
    const withPhoto = await readCoverOrPoster(app.deps, event.eventId, size);

    expect([await meanOf(poster), await meanOf(withoutPhoto)].map((color) => isOfPhoto(color))).toEqual([false, false]);
    expect(isOfPhoto(await meanOf(withPhoto))).toBe(true);
  });

  it('does not keep a photo from being deleted: it is gone for everyone at once, and swept from the bucket later [PHOTO-9]', async () => {
    const url = await uploaded();
    const fileName = url.split('/').at(-1) ?? '';
    s3.fail('has a problem of its own');
    expectOk(await event.visitor.call(deletePhotos, { eventId: event.eventId, photosToDelete: [url] }));
    expect((await view(url)).reply.status).toBe(404);

    s3.heal();
    expect(await filesInBucket()).toContain(fileName);
    const tomorrow = async function* () {
      for await (const stored of app.deps.photos.list()) yield { ...stored, writtenAt: new Date(0) };
    };
    await sweepPhotos({ ...app.deps, photos: { ...app.deps.photos, list: tomorrow } });
    expect((await filesInBucket()).sort()).toEqual((await rows()).map((row) => row.fileName).sort());
  });
});
