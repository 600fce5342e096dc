import sharp from 'sharp';
import { PHOTO_EDGE_MAX, PHOTO_PIXELS_MAX } from '#domain/limits.ts';

export type PhotoDenial = 'not-a-photo' | 'too-many-pixels';

const WEBP_QUALITY = 82;

/**
 * Draws the picture anew: what comes out holds its pixels and nothing else, neither the place where it was
 * taken nor anything that was appended to the file.
 */
export async function reEncodePhoto(content: Buffer): Promise<Buffer | PhotoDenial> {
  // By its first bytes, before any decoder sees it: the others, such as SVG's, are never asked.
  if (!isJpeg(content) && !isPng(content) && !isWebp(content)) return 'not-a-photo';

  // Only the header is read here, whatever size it tells.
  const size = await readable(() => sharp(content, { limitInputPixels: false }).metadata());
  if (!size) return 'not-a-photo';
  if (size.width * size.height > PHOTO_PIXELS_MAX) return 'too-many-pixels';

  const drawn = await readable(() =>
    sharp(content, { limitInputPixels: PHOTO_PIXELS_MAX, failOn: 'error' })
      .autoOrient()
      .resize(PHOTO_EDGE_MAX, PHOTO_EDGE_MAX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer(),
  );
  return drawn ?? 'not-a-photo';
}

/** The decoder throws for whatever it cannot read; it has no other way to say so. */
async function readable<T>(read: () => Promise<T>): Promise<T | null> {
  return read().catch(() => null);
}

const isJpeg = (file: Buffer) => file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
const isPng = (file: Buffer) => file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
const isWebp = (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
