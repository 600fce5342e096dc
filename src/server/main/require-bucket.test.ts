import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runChecks } from '#server/backoffice/doctor/run-checks.ts';
import type { Pool } from '#server/platform/database.ts';
import { ConfigError } from '#server/platform/settings.ts';
import { smallPhoto } from '#tests/support/call-samples.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { poolOf } from '#tests/support/pool-of.ts';
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { openFiles } from './open-files.ts';
import { requireBucket } from './require-bucket.ts';

let s3: S3Server;
let app: TestApp;
let pool: Pool;
beforeAll(async () => {
  s3 = await startS3Server();
  app = await startTestApp({ runsJobs: false, bucket: s3.bucket });
  pool = await poolOf(app);
});
afterEach(() => s3.heal());
afterAll(async () => {
  await pool?.end();
  await app?.close();
  await s3?.close();
});

describe('A start with a bucket', () => {
  const log = pino({ level: 'silent' });

  it('goes on if it can be used, or is away [OPS-13]', async () => {
    await requireBucket(s3.bucket, log);
    s3.fail('resets connections');
    await requireBucket(s3.bucket, log);
  });

  it('ends if it denies access, and says why and what to look at [OPS-13]', async () => {
    const starting = requireBucket({ ...s3.bucket, keyId: 'AKIAUNKNOWN' }, log);

    await expect(starting).rejects.toBeInstanceOf(ConfigError);
    await expect(starting).rejects.toThrow(/the bucket answered InvalidAccessKeyId.*PHOTOS_S3_KEY/);
  });
});

describe('The doctor', () => {
  const found = async () => {
    const files = await openFiles({ bucket: { ...s3.bucket, deadlineMs: 1_000 }, dataDir: '/nowhere' });
    const results = await runChecks({
      pool,
      dataDir: '/',
      databaseUrl: null,
      publicUrl: app.publicUrl,
      mailServer: null,
      trustedProxies: 0,
      appSecret: null,
      files,
      findKeyProblem: null,
    });
    return results.flatMap(({ name, passed }) => (/photos/i.test(name ?? '') ? [[name, passed]] : []));
  };

  it('uses the bucket, and looks for the object of each photo [OPS-13]', async () => {
    const event = await eventOnSale(app);
    const { eventPhotos } = expectOk(await uploadPhotos(event.visitor, event.eventId, [['a.png', await smallPhoto()]]));
    expect(await found()).toEqual([
      ['Bucket of photos', true],
      ['Photos', true],
    ]);

    await app.deps.photos.remove(eventPhotos[0]?.split('/').at(-1) ?? '');
    expect(await found()).toEqual([
      ['Bucket of photos', true],
      ['Photos', false],
    ]);
    s3.fail('has a problem of its own');
    expect(await found()).toEqual([
      ['Bucket of photos', false],
      ['Photos', false],
    ]);
  });
});
