import type { Logger } from 'pino';
import { findBucketProblem } from '#server/platform/adapters/s3/bucket.ts';
import type { BucketSettings } from '#server/platform/config.ts';
import { ConfigError } from '#server/platform/settings.ts';

/** Stops the start when the bucket refuses us. One that is out of reach doesn't: tickets are sold without photos, too. */
export async function requireBucket(settings: BucketSettings, log: Logger): Promise<void> {
  const problem = await findBucketProblem(settings);
  if (problem?.kind === 'refused')
    throw new ConfigError(
      `PHOTOS_S3_BUCKET can't be used: ${problem.reason}. Check PHOTOS_S3_KEY, PHOTOS_S3_REGION and PHOTOS_S3_ENDPOINT, and that the key may read, write, delete and list objects`,
    );
  if (problem) log.warn('the bucket of photos could not be used at the start');
}
