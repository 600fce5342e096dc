/** QR codes in a picture, with two aids for those that do not read as they are. Knows no browser, so that a benchmark can run it. */
import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { centreOf, evened, type Picture, smoothed } from './image-filters.ts';

/** `evened`: dark, bright in places. `smoothed`: grainy, as cameras are at night. */
export const aids = ['none', 'evened', 'smoothed'] as const;
export type Aid = (typeof aids)[number];

export interface FoundCode {
  text: string;
  /** The code's middle. */
  x: number;
  y: number;
}

/** The aids look at the middle only: they cost more than the reading. */
const AIDED_SIDE = 480;

/** Turned codes are found without `tryRotate`, and ours are never white on black. Halving the picture is what helps most. */
const options: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  tryRotate: false,
  tryInvert: false,
  tryDownscale: true,
  downscaleFactor: 2,
  downscaleThreshold: 200,
};

export async function findCodes(picture: Picture, aid: Aid): Promise<FoundCode[]> {
  if (aid === 'none') return read(picture, options);
  const middle = centreOf(picture, AIDED_SIDE);
  const codes =
    aid === 'smoothed'
      ? await read(smoothed(middle), options)
      : await read(evened(middle), { ...options, binarizer: 'FixedThreshold' });
  const [left, top] = [(picture.width - middle.width) / 2, (picture.height - middle.height) / 2];
  return codes.map(({ text, x, y }) => ({ text, x: x + left, y: y + top }));
}

async function read(picture: Picture, how: ReaderOptions): Promise<FoundCode[]> {
  const codes = await readBarcodes(picture, how);
  return codes.map(({ text, position: { topLeft, topRight, bottomLeft, bottomRight } }) => ({
    text,
    x: (topLeft.x + topRight.x + bottomLeft.x + bottomRight.x) / 4,
    y: (topLeft.y + topRight.y + bottomLeft.y + bottomRight.y) / 4,
  }));
}

/** A slow phone must not fall behind its own camera. */
const QUICK_MS = 40;

/**
 * Which aids the next frame is looked at with, in order, until one finds a code: a quick device tries one in every frame after
 * the plain look, a slow one puts it in the place of every third.
 */
export function aidsFor(turn: number, lastPlainMs: number): readonly Aid[] {
  if (lastPlainMs <= QUICK_MS) return ['none', turn % 2 === 0 ? 'evened' : 'smoothed'];
  if (turn % 3 < 2) return ['none'];
  return [turn % 6 === 2 ? 'evened' : 'smoothed'];
}
