/**
 * Worker process that decodes untrusted images, one at a time. It has no secrets, and a crash does not affect the
 * server.
 */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { reEncodePhoto } from './re-encode-photo.ts';

sharp.cache(false);
sharp.concurrency(1);
// Second line of defense after the signature check: disables all other decoders.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

process.on('message', (source: string | Uint8Array) => {
  void readSource(source)
    .then(reEncodePhoto)
    .then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

const readSource = async (source: string | Uint8Array) =>
  typeof source === 'string' ? readFile(source) : Buffer.from(source);
