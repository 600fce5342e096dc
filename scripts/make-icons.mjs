/** Draws the icons of the installed scanner from the one of the browser's tab: `node scripts/make-icons.mjs`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { root } from './run.mjs';

const SOURCE = readFileSync(path.join(root, 'src/web/shell/icon.svg'), 'utf8');
const CORNERS = ' rx="7"';
if (!SOURCE.includes(CORNERS)) throw new Error('icon.svg is drawn otherwise now: see what is to be cut off.');

/** Phones cut `maskable` to a shape of their own. The mark lies within the 80 % that each of them leaves. */
const icons = [
  ['icon-192.png', 192, SOURCE],
  ['icon-512.png', 512, SOURCE],
  ['icon-maskable-512.png', 512, SOURCE.replace(CORNERS, '')],
];

for (const [name, size, svg] of icons) {
  // Drawn at its size, not enlarged: an SVG has 72 dots to the inch, and this one is 32 wide.
  const picture = sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);
  await picture.png({ palette: true, effort: 10 }).toFile(path.join(root, 'src/web/app', name));
}
