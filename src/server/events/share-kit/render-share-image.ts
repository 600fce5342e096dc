/** Pictures of an event for social media: its poster, with the cover photo inside, above a perforated line, and what to know below. */
import sharp, { type OverlayOptions } from 'sharp';
import { posterSvg } from '#domain/poster.ts';
import type { Focus } from '#domain/sales/photos.ts';
import { cropPhoto } from '#server/events/photos/crop-photo.ts';
import { fitText, INK, PAPER, renderText } from '#server/events/share-card/render-text.ts';

export interface SharedEvent {
  /** Seeds the poster. */
  id: string;
  title: string;
  lines: readonly string[];
  seller: string | null;
  photo: Buffer | null;
  focus: Focus | null;
}

interface Layout {
  height: number;
  /** Where the picture ends. */
  tear: number;
  /** The text is in the middle between the picture and here. */
  bottom: number;
  margin: number;
  frame: number;
  titleSizes: readonly number[];
  titleHeight: number;
  lineSize: number;
}

const WIDTH = 1080;
const QUIET = '#3D4060';
const NOTCH = 30;
const PHOTO_QUALITY = 90;

/** Apps that show a story lay their controls over its first and last pixels. */
export const LAYOUTS = {
  square: {
    height: 1080,
    tear: 570,
    bottom: 1080,
    margin: 72,
    frame: 64,
    titleSizes: [112, 96, 80, 66, 54],
    titleHeight: 205,
    lineSize: 38,
  },
  story: {
    height: 1920,
    tear: 1110,
    bottom: 1780,
    margin: 80,
    frame: 84,
    titleSizes: [132, 112, 94, 78, 64],
    titleHeight: 330,
    lineSize: 50,
  },
} as const satisfies Record<string, Layout>;

export async function renderShareImage(event: SharedEvent, layout: Layout): Promise<Buffer> {
  const { height, tear, bottom, margin, titleSizes, titleHeight, lineSize } = layout;
  const width = WIDTH - 2 * margin;
  const lineHeight = Math.round(lineSize * 1.4);
  const title = await fitText(event.title, titleSizes, { width, maxHeight: titleHeight });
  const lines = await Promise.all(
    event.lines.map((text) =>
      fitText(text, [lineSize, lineSize * 0.9, lineSize * 0.8, lineSize * 0.7], { width, maxHeight: lineHeight }),
    ),
  );
  const seller = event.seller
    ? await renderText(event.seller, { size: lineSize * 0.8, width, maxHeight: lineHeight, color: QUIET })
    : null;

  const linesHeight = lines.length * lineHeight;
  const sellerHeight = seller ? lineSize / 3 + seller.height : 0;
  const titleTop = Math.round((tear + bottom - title.height - lineSize - linesHeight - sellerHeight) / 2);
  const linesTop = titleTop + title.height + lineSize;
  const sellerTop = Math.round(linesTop + linesHeight + lineSize / 3);
  const overlays: OverlayOptions[] = [
    { input: await framedPicture(event, { width: WIDTH, height: tear, frame: layout.frame }), top: 0, left: 0 },
    { input: Buffer.from(tearSvg(height, tear)), top: 0, left: 0 },
    { input: title.png, top: titleTop, left: margin },
    ...lines.map(({ png }, index) => ({ input: png, top: linesTop + index * lineHeight, left: margin })),
    ...(seller ? [{ input: seller.png, top: sellerTop, left: margin }] : []),
  ];
  const image = sharp({ create: { width: WIDTH, height, channels: 3, background: PAPER } }).composite(overlays);
  return event.photo ? image.jpeg({ quality: PHOTO_QUALITY }).toBuffer() : image.png({ palette: true }).toBuffer();
}

/** The poster, with the photo inside as in a passe-partout. */
export async function framedPicture(
  { id, photo, focus }: Pick<SharedEvent, 'id' | 'photo' | 'focus'>,
  { width, height, frame }: { width: number; height: number; frame: number },
): Promise<Buffer> {
  const poster = sharp(Buffer.from(posterSvg(id))).resize(width, height, { fit: 'cover' });
  if (!photo) return poster.png().toBuffer();
  const edge = Math.round(frame / 5);
  const size = { width: width - 2 * frame, height: height - 2 * frame };
  const inner = await (await cropPhoto(photo, { ...size, focus, position: 'attention' }))
    .extend({ top: edge, bottom: edge, left: edge, right: edge, background: PAPER })
    .toBuffer();
  return poster
    .composite([{ input: inner, top: frame - edge, left: frame - edge }])
    .png()
    .toBuffer();
}

/** Notches at both edges and a perforation between them, as on a ticket. */
function tearSvg(height: number, y: number): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">`,
    `<circle cx="0" cy="${y}" r="${NOTCH}" fill="${INK}"/><circle cx="${WIDTH}" cy="${y}" r="${NOTCH}" fill="${INK}"/>`,
    `<path d="M56 ${y}H${WIDTH - 56}" stroke="${PAPER}" stroke-width="10" stroke-linecap="round" stroke-dasharray="0 24"/>`,
    '</svg>',
  ].join('');
}
