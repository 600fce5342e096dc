/** Renders the icons of the installed scanner from the browser tab's icon: `node scripts/make-icons.mjs`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from './run.mjs';

const SOURCE = readFileSync(path.join(root, 'src/web/shell/icon.svg'), 'utf8');
const CORNERS = ' rx="7"';
if (!SOURCE.includes(CORNERS)) throw new Error('icon.svg has changed: adjust CORNERS.');

/** Phones crop a `maskable` icon to their own shape; the mark stays within the 80 % that every shape keeps. */
const icons = [
  ['icon-192.png', 192, SOURCE],
  ['icon-512.png', 512, SOURCE],
  ['icon-maskable-512.png', 512, SOURCE.replace(CORNERS, '')],
];

for (const [name, size, svg] of icons) {
  // Rendered at its size, not upscaled: an SVG has 72 dots per inch, and this one is 32 wide.
  const image = sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);
  await image.png({ palette: true, effort: 10 }).toFile(path.join(root, 'src/web/app', name));
}
