import sharp, { type Sharp } from 'sharp';
import { cropEdge, type Focus } from '#domain/sales/photos.ts';

interface Crop {
  width: number;
  height: number;
  /** Null: where the crop chooses. */
  focus: Focus | null;
  /** How it chooses. */
  position?: 'center' | 'attention';
}

/** @param photo as our own encoder wrote it, or a poster */
export async function cropPhoto(photo: Buffer, { width, height, focus, position = 'center' }: Crop): Promise<Sharp> {
  if (!focus) return sharp(photo).resize(width, height, { fit: 'cover', position });
  const size = await sharp(photo).metadata();
  const scale = Math.max(width / size.width, height / size.height);
  const whole = {
    width: Math.max(width, Math.round(size.width * scale)),
    height: Math.max(height, Math.round(size.height * scale)),
  };
  return sharp(photo)
    .resize({ ...whole, fit: 'fill' })
    .extract({
      left: cropEdge(whole.width, width, focus.x),
      top: cropEdge(whole.height, height, focus.y),
      width,
      height,
    });
}
