/** A local server that speaks the protocol of S3, with one bucket. It can fail. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from 's3rver';
import type { BucketSettings } from '#server/platform/config.ts';
import { makeDataDirectory } from './test-database.ts';

type Failure = 'hangs' | 'resets connections' | 'has a problem of its own';

export interface S3Server {
  bucket: BucketSettings;
  /** Settings of a server that keeps its photos there. */
  environment: Record<string, string>;
  /** Requests so far. */
  requests(): number;
  fail(how: Failure): void;
  heal(): void;
  close(): Promise<void>;
}

/** The only one that it knows. */
const KEY = 'S3RVER';

export async function startS3Server(): Promise<S3Server> {
  const directory = makeDataDirectory();
  const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: 'photos', configs: [] }] });
  await s3.configureBuckets();
  const answer = s3.callback();
  let failure: Failure | null = null;
  let requests = 0;
  const underWay = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    requests++;
    if (failure === null) {
      const answered = Promise.resolve(answer(request, response)).finally(() => underWay.delete(answered));
      underWay.add(answered);
    }
    if (failure === 'resets connections') request.socket.destroy();
    else if (failure === 'has a problem of its own') response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    bucket: { bucket: 'photos', region: 'us-east-1', endpoint, hasPathStyle: true, keyId: KEY, secretKey: KEY },
    environment: {
      PHOTOS_S3_BUCKET: 'photos',
      PHOTOS_S3_KEY: `${KEY}:${KEY}`,
      PHOTOS_S3_ENDPOINT: endpoint,
      PHOTOS_S3_PATH_STYLE: '1',
    },
    requests: () => requests,
    fail(how) {
      failure = how;
    },
    heal() {
      failure = null;
    },
    async close() {
      server.closeAllConnections();
      await once(server.close(), 'close');
      // They still write files.
      await Promise.allSettled(underWay);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
