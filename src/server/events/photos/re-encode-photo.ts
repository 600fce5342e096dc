import sharp from 'sharp';
import { PHOTO_EDGE_MAX, PHOTO_PIXELS_MAX } from '#domain/limits.ts';

export type PhotoDenial = 'not-a-photo' | 'too-many-pixels';

const WEBP_QUALITY = 82;

/** Re-encodes the pixels, which drops everything else: location and other metadata, and data appended to the file. */
export async function reEncodePhoto(content: Buffer): Promise<Buffer | PhotoDenial> {
  // Checks the signature before any decoder runs, so that decoders such as SVG's never see the file.
  if (!isJpeg(content) && !isPng(content) && !isWebp(content)) return 'not-a-photo';

  // Reads only the header, so any claimed size is safe here.
  const size = await decodeOrNull(() => sharp(content, { limitInputPixels: false }).metadata());
  if (!size) return 'not-a-photo';
  if (size.width * size.height > PHOTO_PIXELS_MAX) return 'too-many-pixels';

  const encoded = await decodeOrNull(() =>
    sharp(content, { limitInputPixels: PHOTO_PIXELS_MAX, failOn: 'error' })
      .autoOrient()
      .resize(PHOTO_EDGE_MAX, PHOTO_EDGE_MAX, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer(),
  );
  return encoded ?? 'not-a-photo';
}

/** The decoder's only way to report an unreadable file is to throw. */
async function decodeOrNull<T>(read: () => Promise<T>): Promise<T | null> {
  return read().catch(() => null);
}

const isJpeg = (file: Buffer) => file.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
const isPng = (file: Buffer) => file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
const isWebp = (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';
