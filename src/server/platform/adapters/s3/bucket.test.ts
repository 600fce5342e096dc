import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts';
import { findBucketProblem, openBucket } from './bucket.ts';
import { s3PhotoStore } from './s3-photo-store.ts';

let s3: S3Server;
let pages: Server | undefined;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterEach(() => s3.heal());
afterAll(async () => {
  pages?.closeAllConnections();
  pages?.close();
  await s3?.close();
});

const content = Buffer.from('a photo');

describe('a bucket', () => {
  it('can be used, and keeps nothing of the attempt [OPS-13]', async () => {
    expect(await findBucketProblem(s3.bucket)).toBeNull();

    const keys = [];
    for await (const { key } of openBucket(s3.bucket).list('')) keys.push(key);
    expect(keys).toEqual([]);
  });

  it.each([
    ['has another name', { bucket: 'someone-elses' }, 'NoSuchBucket'],
    ['does not know the key', { keyId: 'AKIAUNKNOWN' }, 'InvalidAccessKeyId'],
  ])('refuses for good if it %s [OPS-13]', async (_why, settings, code) => {
    expect(await findBucketProblem({ ...s3.bucket, ...settings })).toEqual({
      kind: 'refused',
      reason: `the bucket answered ${code}`,
    });
  });

  it('is unreachable while nothing listens [OPS-13]', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;

    expect(await findBucketProblem({ ...s3.bucket, endpoint })).toMatchObject({ kind: 'unreachable' });
  });

  it.each(['hangs', 'resets connections', 'has a problem of its own'] as const)(
    'is given up when it %s [PHOTO-9]',
    async (how) => {
      const bucket = openBucket({ ...s3.bucket, deadlineMs: 3_000 });
      await bucket.put('known', content, 'text/plain');
      s3.fail(how);

      await expect(bucket.get('known')).rejects.toMatchObject({ isRefused: false });
      await expect(bucket.put('new', content, 'text/plain')).rejects.toMatchObject({ isRefused: false });
      s3.heal();
      expect(await bucket.get('known')).toEqual(content);
      await bucket.remove('known');
    },
  );

  it('lists more objects than one answer has', async () => {
    const keys = [];
    for await (const { key } of openBucket({ ...s3.bucket, endpoint: await twoPages() }).list('many/')) keys.push(key);

    expect(keys).toEqual(['many/1', 'many/2', 'many/3']);
  });
});

/** The local server can't list more than a page: it encrypts where it stopped with a cipher that Node no longer has. */
async function twoPages(): Promise<string> {
  const object = (key: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-05-01T12:00:00.000Z</LastModified><Size>1</Size></Contents>`;
  pages = createServer(({ url }, response) => {
    const isSecond = new URL(url ?? '', 'http://localhost').searchParams.get('continuation-token') === 'after 2';
    const page = isSecond
      ? `<IsTruncated>false</IsTruncated>${object('many/3')}`
      : `<IsTruncated>true</IsTruncated><NextContinuationToken>after 2</NextContinuationToken>${object('many/1')}${object('many/2')}`;
    response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><ListBucketResult>${page}</ListBucketResult>`);
  }).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  return `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
}

describe('photos in a bucket', () => {
  it('cost one request, however many readers ask [PHOTO-9]', async () => {
    await s3PhotoStore(openBucket(s3.bucket)).write('a.webp', content);
    const store = s3PhotoStore(openBucket(s3.bucket));
    const before = s3.requests();

    const read = await Promise.all(Array.from({ length: 50 }, () => store.read('a.webp')));
    expect(read).toEqual(read.map(() => content));
    await store.read('a.webp');
    expect(s3.requests() - before).toBe(1);
  });

  it('are asked for again after a failure', async () => {
    const store = s3PhotoStore(openBucket(s3.bucket));
    await store.write('b.webp', content);
    s3.fail('resets connections');
    await expect(store.read('b.webp')).rejects.toThrow();
    s3.heal();

    expect(await store.read('b.webp')).toEqual(content);
  });
});
