/** Finds QR codes in a frame, with two filters for hard ones. Uses no browser APIs, so that a benchmark can run it. */
import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import { adaptiveThreshold, blur, cropCenter, type Frame } from './image-filters.ts';

/** `threshold` helps with uneven light, `blur` with the noise of cameras at night. */
export const imageFilters = ['none', 'threshold', 'blur'] as const;
export type ImageFilter = (typeof imageFilters)[number];

export interface FoundCode {
  text: string;
  /** The center of the code. */
  x: number;
  y: number;
}

/** Filters process only the center: they cost more than the decoding. */
const FILTERED_SIDE = 480;

/** Rotated codes are found without `tryRotate`, and our codes are never inverted. Downscaling helps the most. */
const options: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  tryRotate: false,
  tryInvert: false,
  tryDownscale: true,
  downscaleFactor: 2,
  downscaleThreshold: 200,
};

export async function findCodes(frame: Frame, filter: ImageFilter): Promise<FoundCode[]> {
  if (filter === 'none') return read(frame, options);
  const center = cropCenter(frame, FILTERED_SIDE);
  const codes =
    filter === 'blur'
      ? await read(blur(center), options)
      : await read(adaptiveThreshold(center), { ...options, binarizer: 'FixedThreshold' });
  const [left, top] = [(frame.width - center.width) / 2, (frame.height - center.height) / 2];
  return codes.map(({ text, x, y }) => ({ text, x: x + left, y: y + top }));
}

async function read(frame: Frame, readerOptions: ReaderOptions): Promise<FoundCode[]> {
  const codes = await readBarcodes(frame, readerOptions);
  return codes.map(({ text, position: { topLeft, topRight, bottomLeft, bottomRight } }) => ({
    text,
    x: (topLeft.x + topRight.x + bottomLeft.x + bottomRight.x) / 4,
    y: (topLeft.y + topRight.y + bottomLeft.y + bottomRight.y) / 4,
  }));
}

/** A device that takes longer than this per frame would fall behind its camera. */
const FAST_DEVICE_MS = 40;

/**
 * The filters to try on a frame, in order, until one finds a code. A fast device adds a filter to every frame; a slow one uses a
 * filter instead of the unfiltered read in every third frame.
 */
export function filtersForFrame(frameNumber: number, lastUnfilteredMs: number): readonly ImageFilter[] {
  if (lastUnfilteredMs <= FAST_DEVICE_MS) return ['none', frameNumber % 2 === 0 ? 'threshold' : 'blur'];
  if (frameNumber % 3 < 2) return ['none'];
  return [frameNumber % 6 === 2 ? 'threshold' : 'blur'];
}
