/**
 * Draws photos, one at a time, in a process of its own that knows no secret: it is where strangers' bytes are decoded.
 * Whatever a picture does to it, the product goes on.
 */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { reEncodePhoto } from './re-encode-photo.ts';

sharp.cache(false);
sharp.concurrency(1);
// Beside the check of the first bytes: no other decoder can be reached at all.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

process.on('message', (picture: string | Uint8Array) => {
  void contentOf(picture)
    .then(reEncodePhoto)
    .then((drawn) => process.send?.(drawn));
});
process.on('disconnect', () => process.exit(0));

const contentOf = async (picture: string | Uint8Array) =>
  typeof picture === 'string' ? readFile(picture) : Buffer.from(picture);
