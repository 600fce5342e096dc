import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { health } from './health.routes.ts';

async function probe(isReady: () => Promise<boolean>) {
  const app = Fastify();
  health(app, { isReady, build: null });
  const { statusCode, headers } = await app.inject('/readyz');
  await app.close();
  return { status: statusCode, retryAfter: headers['retry-after'] };
}

describe('/readyz', () => {
  it('answers while the database does not [OPS-5]', async () => {
    expect(await probe(() => new Promise(() => {}))).toEqual({ status: 503, retryAfter: '3' });
  });

  it('answers when the database is unreachable', async () => {
    expect(await probe(() => Promise.reject(new Error('ECONNREFUSED')))).toEqual({ status: 503, retryAfter: '3' });
  });

  it('answers at once when all is well', async () => {
    expect(await probe(async () => true)).toEqual({ status: 200, retryAfter: undefined });
  });
});
