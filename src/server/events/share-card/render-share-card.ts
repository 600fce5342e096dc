/** The picture that stands beside a shared link: the event's own poster or photo, torn off above its name and time. */
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { posterSvg } from '#domain/poster.ts';

export interface ShareCard {
  /** Seeds the poster. */
  id: string;
  title: string;
  lines: readonly string[];
  /** Its first photo, in place of the poster. */
  photo: Buffer | null;
}

const WIDTH = 1200;
const HEIGHT = 630;
const TEAR = 330;
const MARGIN = 64;
const TITLE_HEIGHT = 150;
const INK = '#15172B';
/** Shipped, since a bare system has no font at all; the drawing library reads neither WOFF nor WOFF2. */
const FONT = join(import.meta.dirname, 'bricolage-grotesque-bold.ttf');

export async function renderShareCard(card: ShareCard): Promise<Buffer> {
  const picture = await sharp(card.photo ?? Buffer.from(posterSvg(card.id)))
    .resize(WIDTH, TEAR, { fit: 'cover' })
    .toBuffer();
  const title = await words(card.title, card.title.length > 26 ? 56 : 72, TITLE_HEIGHT);
  const below = TEAR + 60 + title.height;
  const lines = await Promise.all(card.lines.map((line) => words(line, 32, 44)));

  const overlays: OverlayOptions[] = [
    { input: picture, top: 0, left: 0 },
    { input: Buffer.from(tear()), top: 0, left: 0 },
    { input: title.png, top: TEAR + 36, left: MARGIN },
    ...lines.map(({ png }, index) => ({ input: png, top: below + index * 46, left: MARGIN })),
  ];
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#FAF7F0' } })
    .composite(overlays)
    .png({ palette: card.photo === null })
    .toBuffer();
}

/** Notches at both edges and the perforation between them. */
function tear(): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<circle cx="0" cy="${TEAR}" r="26" fill="${INK}"/><circle cx="${WIDTH}" cy="${TEAR}" r="26" fill="${INK}"/>`,
    `<path d="M48 ${TEAR}H${WIDTH - 48}" stroke="#FAF7F0" stroke-width="8" stroke-linecap="round" stroke-dasharray="0 20"/>`,
    '</svg>',
  ].join('');
}

async function words(text: string, size: number, maxHeight: number): Promise<{ png: Buffer; height: number }> {
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${INK}">${escapeMarkup(text)}</span>`,
      font: `Bricolage Grotesque Bold ${size}`,
      fontfile: FONT,
      width: WIDTH - 2 * MARGIN,
      dpi: 72,
      rgba: true,
      wrap: 'word-char',
    },
  })
    // Words of the widest letters may need a third line: then they are smaller, never cut.
    .resize({ width: WIDTH - 2 * MARGIN, height: maxHeight, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { png: data, height: info.height };
}

function escapeMarkup(text: string): string {
  // Pango takes no control characters, and a title may hold a line break.
  return text
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
