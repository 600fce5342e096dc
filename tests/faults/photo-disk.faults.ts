import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { createEvent, publicEvent } from '#contract/app/events.ts';
import { photosUploaded } from '#messages/photos.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import { buyTickets, codesOf, eventForm, expectOk, generalAdmission, PASSWORD } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { openTwoServers, type TwoServers } from './two-servers/open-two-servers.ts';
import { type PhotoDisk, smallDiskFor } from './two-servers/photo-disk.ts';

let stage: TwoServers;
let disk: PhotoDisk;
let visitor: Visitor;
let eventId: string;
let noise: Buffer;
beforeAll(async () => {
  stage = await openTwoServers();
  const [product] = stage.servers;
  disk = smallDiskFor(product, Number(readFileSync(path.join(product.dataDir, 'server.pid'), 'utf8')));
  visitor = new Visitor(product.url);
  expectOk(await visitor.call(login, { email: stage.organizer.email, password: PASSWORD }));
  ({ eventId } = expectOk(await visitor.call(createEvent, eventForm(siteOf(product)))));
  // Random enough that no codec compresses it.
  const pixels = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, index) => (index * 2_654_435_761) % 251));
  noise = await sharp(pixels, { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer();
});
afterEach(() => disk.heal());
afterAll(async () => {
  disk?.remove();
  await stage?.close();
});

const upload = () => uploadPhotos(visitor, eventId, [['noise.png', noise]]);

const filesLeft = () =>
  readdirSync(path.join(stage.servers[0].dataDir, 'photos')).filter((name) => name !== '.filler').length;

async function rowsLeft(): Promise<number> {
  const rows = await stage.db.selectFrom('eventPhotos').where('eventId', '=', eventId).select('eventId').execute();
  return rows.length;
}

describe('the photo disk', () => {
  it.each([
    ['full', () => disk.fill()],
    ['read-only', () => disk.makeReadOnly()],
  ])(
    'is %s: the upload is refused with a message, leaves no row or file, and everything else works',
    async (_how, spoil) => {
      const before = [await rowsLeft(), filesLeft()];
      spoil();

      const refused = await upload();
      expect([refused.status, refused.body.code]).toEqual([503, 'photo.not-saved']);
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect([await rowsLeft(), filesLeft()]).toEqual(before);

      const order = await buyTickets(siteOf(stage.servers[0]), eventId, generalAdmission(1));
      expect(codesOf(order)).toHaveLength(1);
      expect((await new Visitor(stage.servers[1].url).call(publicEvent, { eventId })).status).toBe(200);
    },
  );

  it('has space again and accepts photos', async () => {
    const stored = await upload();

    expect([stored.status, stored.body.msg]).toEqual([200, photosUploaded]);
    expect([await rowsLeft(), filesLeft()]).toEqual([1, 1]);
  });
});
