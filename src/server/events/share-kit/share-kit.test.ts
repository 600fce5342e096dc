import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ShareKind, shareKit } from '#contract/app/records/overview.ts';
import { shareKit as text } from '#messages/sales/share-kit.ts';
import { eventOnSale } from '#tests/support/people.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { readQr } from '#tests/support/read-qr.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

async function download({ visitor, eventId }: Pick<Seller, 'visitor' | 'eventId'>, kind: string) {
  const reply = await visitor.fetch(shareKit.path.replace(':eventId', eventId).replace(':kind', kind));
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    name: reply.headers.get('content-disposition'),
    file: Buffer.from(await reply.arrayBuffer()),
  };
}

const TITLES = {
  short: 'Basement Brass',
  long: 'The Annual Midsummer Night Brass Band Fundraiser!!',
  'with emoji and accents': '🎺 Café Sinéad — Nuit d’Été à l’Hôtel 🇫🇷🔥',
  'of emoji': '🎺🔥',
  'with markup': '<b>Rock & Roll</b> ©',
};

const RED = { r: 200, g: 30, b: 30 };
const redPhoto = () =>
  sharp({ create: { width: 1200, height: 800, channels: 3, background: RED } })
    .webp()
    .toBuffer();

/** The color in the middle of the picture's upper half. */
async function colorOf(image: Buffer): Promise<number[]> {
  const { width, height } = await sharp(image).metadata();
  const spot = { left: Math.round(width / 2), top: Math.round(height / 4), width: 1, height: 1 };
  return [...(await sharp(image).extract(spot).removeAlpha().raw().toBuffer())];
}

const isRed = ([r = 0, g = 0, b = 0]: number[]) =>
  Math.abs(r - RED.r) < 12 && Math.abs(g - RED.g) < 12 && Math.abs(b - RED.b) < 12;

describe('the share kit of an event', () => {
  it.each(Object.entries(TITLES))('has pictures and a flyer for a title %s [KIT-1]', async (_kind, title) => {
    const seller = await eventOnSale(app, { title });
    for (const [kind, height] of [
      ['square', 1080],
      ['story', 1920],
    ] as const) {
      const { status, type, file } = await download(seller, kind);
      expect([status, type]).toEqual([200, 'image/png']);
      expect(await sharp(file).metadata()).toMatchObject({ width: 1080, height });
    }
    const flyer = await download(seller, 'flyer');
    expect(flyer.type).toBe('application/pdf');
    const pages = await readPdf(flyer.file);
    expect(pages).toHaveLength(1);
    expect(pages[0]?.text).toContain(text.scan);
    expect(await readQr(pages[0]?.image ?? Buffer.alloc(0))).toMatchObject([
      { text: `${app.publicUrl}/payment/${seller.eventId}` },
    ]);
  });

  it('follows the title and the cover photo [KIT-1]', async () => {
    const seller = await eventOnSale(app);
    const poster = await download(seller, 'square');
    expect(poster.name).toContain('filename="Basement Brass, square.png"');
    expect(isRed(await colorOf(poster.file))).toBe(false);
    expect((await download(seller, 'square')).file).toEqual(poster.file);

    await uploadPhotos(seller.visitor, seller.eventId, [['cover.webp', await redPhoto()]]);
    const photo = await download(seller, 'square');
    expect([photo.type, photo.name]).toEqual(['image/jpeg', expect.stringContaining('square.jpg')]);
    expect(isRed(await colorOf(photo.file))).toBe(true);
    await app.db.updateTable('events').set({ title: 'Attic Strings' }).where('id', '=', seller.eventId).execute();
    expect((await download(seller, 'square')).file).not.toEqual(photo.file);
  });

  it('is not for others, and has nothing else [KIT-1]', async () => {
    const [mine, theirs] = [await eventOnSale(app), await eventOnSale(app)];
    const kinds: ShareKind[] = ['square', 'flyer'];
    for (const kind of kinds) {
      expect(await download({ ...mine, eventId: theirs.eventId }, kind)).toMatchObject({ status: 404 });
      expect(await download({ visitor: app.visitor(), eventId: mine.eventId }, kind)).toMatchObject({ status: 401 });
    }
    for (const kind of ['poster', 'square.png', '..%2Fflyer', ''])
      expect((await download(mine, kind)).status).toBeGreaterThanOrEqual(400);
  });
});
