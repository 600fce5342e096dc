/** Renders a video of a ticket's QR code for Chromium's fake camera. */
import { writeFile } from 'node:fs/promises';
import { encode } from 'uqr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES = 10;
const BLACK = 16;
const WHITE = 235;

/** Writes a short video (YUV4MPEG2) with the code in the center of the frame. */
export async function filmOf(content: string, file: string): Promise<void> {
  const { data: modules, size } = encode(content, { ecc: 'M', border: 4 });
  const scale = Math.floor((HEIGHT * 0.7) / size);
  const [left, top] = [WIDTH, HEIGHT].map((length) => Math.floor((length - size * scale) / 2));

  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  for (let y = 0; y < size * scale; y++) {
    for (let x = 0; x < size * scale; x++) {
      const isDark = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)];
      if (isDark) luma[((top ?? 0) + y) * WIDTH + (left ?? 0) + x] = BLACK;
    }
  }
  const noColor = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, noColor]);
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420mpeg2\n`);
  await writeFile(file, Buffer.concat([header, ...Array.from({ length: FRAMES }, () => frame)]));
}

/** Chromium arguments that use the video as the camera. */
export function cameraShowing(file: string): string[] {
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ];
}
