/** Opens what is kept outside the database, photos and the log of erasures: in a bucket if one is set, otherwise in `DATA_DIR`. */
import { join } from 'node:path';
import { diskErasureLog } from '#server/platform/adapters/disk/disk-erasure-log.ts';
import { diskPhotoStore } from '#server/platform/adapters/disk/disk-photo-store.ts';
import type { BucketProblem } from '#server/platform/adapters/s3/bucket.ts';
import type { Config } from '#server/platform/config.ts';
import type { Deps } from '#server/platform/deps.ts';

export interface Files extends Pick<Deps, 'photos' | 'erasures'> {
  /** Where they are. */
  place: string;
  /** Why a bucket can't be used; null if it can. */
  findProblem: (() => Promise<BucketProblem | null>) | null;
}

export async function openFiles({ bucket, dataDir }: Pick<Config, 'bucket' | 'dataDir'>): Promise<Files> {
  if (bucket === null) {
    const place = join(dataDir, 'photos');
    const erasures = diskErasureLog(join(dataDir, 'erasures.jsonl'));
    return { photos: diskPhotoStore(place), erasures, place, findProblem: null };
  }
  // On demand: most installations need none of it.
  const [{ findBucketProblem, openBucket }, { s3PhotoStore }, { s3ErasureLog }] = await Promise.all([
    import('#server/platform/adapters/s3/bucket.ts'),
    import('#server/platform/adapters/s3/s3-photo-store.ts'),
    import('#server/platform/adapters/s3/s3-erasure-log.ts'),
  ]);
  const opened = openBucket(bucket);
  return {
    photos: s3PhotoStore(opened),
    erasures: s3ErasureLog(opened),
    place: `the bucket ${bucket.bucket}`,
    findProblem: () => findBucketProblem(bucket),
  };
}
