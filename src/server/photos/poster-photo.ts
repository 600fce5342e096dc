import sharp from 'sharp';
import { posterSvg } from '#domain/poster.ts';

/** The poster that an id stands for, as a file that can be uploaded. */
export async function posterPhoto(id: string): Promise<Buffer> {
  return sharp(Buffer.from(posterSvg(id)))
    .resize(1600, 1000)
    .png()
    .toBuffer();
}
