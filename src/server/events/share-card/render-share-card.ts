/** The Open Graph image: the event's poster or photo above a perforated line, its title and date below. */
import sharp, { type OverlayOptions } from 'sharp';
import { posterSvg } from '#domain/poster.ts';
import type { Focus } from '#domain/sales/photos.ts';
import { cropPhoto } from '#server/events/photos/crop-photo.ts';
import { INK, PAPER, renderText } from './render-text.ts';

export interface ShareCard {
  /** Seeds the poster. */
  id: string;
  title: string;
  lines: readonly string[];
  /** Replaces the poster. */
  photo: Buffer | null;
  focus: Focus | null;
}

const WIDTH = 1200;
const HEIGHT = 630;
const TEAR_TOP = 330;
const MARGIN = 64;
const TITLE_HEIGHT = 150;
const TEXT_WIDTH = WIDTH - 2 * MARGIN;

export async function renderShareCard(card: ShareCard): Promise<Buffer> {
  const picture = card.photo ?? Buffer.from(posterSvg(card.id));
  const crop = await cropPhoto(picture, { width: WIDTH, height: TEAR_TOP, focus: card.focus });
  const image = await crop.toBuffer();
  const size = card.title.length > 26 ? 56 : 72;
  const title = await renderText(card.title, { size, width: TEXT_WIDTH, maxHeight: TITLE_HEIGHT });
  const linesTop = TEAR_TOP + 60 + title.height;
  const lines = await Promise.all(
    card.lines.map((line) => renderText(line, { size: 32, width: TEXT_WIDTH, maxHeight: 44 })),
  );

  const overlays: OverlayOptions[] = [
    { input: image, top: 0, left: 0 },
    { input: Buffer.from(tearLineSvg()), top: 0, left: 0 },
    { input: title.png, top: TEAR_TOP + 36, left: MARGIN },
    ...lines.map(({ png }, index) => ({ input: png, top: linesTop + index * 46, left: MARGIN })),
  ];
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: PAPER } })
    .composite(overlays)
    .png({ palette: card.photo === null })
    .toBuffer();
}

/** Notches at both edges and a perforation between them. */
function tearLineSvg(): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    `<circle cx="0" cy="${TEAR_TOP}" r="26" fill="${INK}"/><circle cx="${WIDTH}" cy="${TEAR_TOP}" r="26" fill="${INK}"/>`,
    `<path d="M48 ${TEAR_TOP}H${WIDTH - 48}" stroke="${PAPER}" stroke-width="8" stroke-linecap="round" stroke-dasharray="0 20"/>`,
    '</svg>',
  ].join('');
}
