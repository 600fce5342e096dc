import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '#tests/support/product.ts';

let product: Product;
afterEach(() => product.remove());

interface Answer {
  status: number | undefined;
  connection: string | undefined;
  retryAfter: string | undefined;
}

async function ask(path: string, agent?: Agent): Promise<Answer> {
  const [answer] = (await once(get(`${product.url}${path}`, { agent }), 'response')) as [IncomingMessage];
  await text(answer);
  const { connection, 'retry-after': retryAfter } = answer.headers;
  return { status: answer.statusCode, connection, retryAfter };
}

describe('A server that is asked to stop', () => {
  beforeEach(async () => {
    product = await startProduct({ DRAIN_SECONDS: '20' });
  });

  it('says that it is not ready, and answers on until load balancers know [OPS-5]', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask('/readyz')).toMatchObject({ status: 200 });
    expect(await ask('/', agent)).toMatchObject({ status: 200, connection: 'keep-alive' });

    process.kill(product.pid(), 'SIGTERM');

    await expect.poll(() => ask('/readyz')).toEqual({ status: 503, connection: 'close', retryAfter: '3' });
    const answers = [await ask('/', agent), await ask('/payment/AAAAAAAAAAAAAAAA', agent), await ask('/faq', agent)];
    expect(answers.map(({ status, connection }) => [status, connection])).toEqual([
      [200, 'close'],
      [404, 'close'],
      [200, 'close'],
    ]);
    agent.destroy();
    await product.kill();
  });
});

describe('Every serving process', () => {
  beforeEach(async () => {
    product = await startProduct({ DRAIN_SECONDS: '0.5', WORKERS: '2' });
  });

  it('drains, and ends without an error [OPS-5]', async () => {
    expect(await product.stop()).toBe(0);
    expect(product.output()).not.toContain('error');
  });
});
