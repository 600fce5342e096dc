/** Copies photos and the log of erasures from `DATA_DIR` to the bucket, or back with `--to=disk`. Works while servers run. */
import { copyPhotos } from '#server/events/photos/copy-photos.ts';
import { openFiles } from '#server/main/open-files.ts';
import { readConfig } from '#server/platform/config.ts';
import { giveUp } from './run.mjs';

const [direction = '--to=bucket', ...rest] = process.argv.slice(2);
if (!['--to=bucket', '--to=disk'].includes(direction) || rest.length > 0)
  giveUp('The only option is --to=disk. Without it, photos are copied to the bucket.');

await copyAll().catch((error) => giveUp(`${error.message}. Repeat the command: it copies what is missing.`));

async function copyAll() {
  const config = readConfig(process.env);
  if (config.bucket === null) giveUp('Set PHOTOS_S3_BUCKET and PHOTOS_S3_KEY: they say where the bucket is.');
  const [disk, bucket] = await Promise.all([openFiles({ ...config, bucket: null }), openFiles(config)]);
  const problem = await bucket.findProblem();
  if (problem) giveUp(`The bucket can't be used: ${problem.reason}.`);
  const [from, to] = direction === '--to=disk' ? [bucket, disk] : [disk, bucket];

  const { copied, known, gone } = await copyPhotos({ from: from.photos, to: to.photos }, ({ copied, known }) => {
    if ((copied + known) % 500 === 0) console.log(`${copied + known} photos`);
  });
  const there = new Set((await to.erasures.read()).map(({ id }) => id));
  const missing = (await from.erasures.read()).filter(({ id }) => !there.has(id));
  await to.erasures.append(missing);

  console.log(`From ${from.place} to ${to.place}: ${copied} photos copied and compared, ${known} were there already.`);
  if (gone > 0) console.log(`${gone} were deleted meanwhile.`);
  console.log(`${missing.length} erasures copied. The originals are still there.`);
}
