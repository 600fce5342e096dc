import sharp from 'sharp';
import { encode } from 'uqr';

const QUIET_MODULES = 4;
const MODULE_PX = 10;

/** Black on white with its own quiet zone, so the code still scans in an email client's dark mode. */
export async function qrPng(text: string): Promise<Buffer> {
  const { data, size } = encode(text, { ecc: 'M', boostEcc: false, border: QUIET_MODULES });
  const pixels = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  return sharp(pixels, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * MODULE_PX, size * MODULE_PX, { kernel: 'nearest' })
    .png({ palette: true, colours: 2 })
    .toBuffer();
}
