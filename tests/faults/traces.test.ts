/** What a started server sends to a collector. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { freePort } from '#tests/support/free-port.ts';
import { until } from '#tests/support/metrics.ts';
import { buyTickets, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute).optional(),
});
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

const bodies: string[] = [];
let collector: Server;
let product: Product;
beforeAll(async () => {
  collector = createServer((request, response) => {
    const received = [`${request.url} `];
    request.setEncoding('utf8').on('data', (chunk: string) => received.push(chunk));
    request.on('end', () => {
      bodies.push(received.join(''));
      response.end('{}');
    });
  });
  const port = await freePort();
  await once(collector.listen(port, '127.0.0.1'), 'listening');
  product = await startProduct({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/` });
});
afterAll(async () => {
  await product?.remove();
  collector.close();
});

const spans = () =>
  bodies
    .map((body) => sent.parse(JSON.parse(body.replace('/v1/traces ', ''))))
    .flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );

describe('traces', () => {
  it('show what each request and each job did, and nothing personal [WATCH-6]', async () => {
    const { eventId } = await eventOnSale(siteOf(product));
    await buyTickets(siteOf(product), eventId, generalAdmission(2));
    const named = (name: string) => spans().filter((each) => each.name === name);
    await logInSlowly();
    await until('the email was sent', async () => named('job send-email').length > 0);
    await product.stop();

    const [checkout] = named('POST /api/public/create-checkout-session');
    const below = spans().filter(({ parentSpanId }) => parentSpanId === checkout?.spanId);
    expect(below.map(({ name }) => name)).toEqual(expect.arrayContaining(['POST /v1/checkout/sessions']));
    for (const name of ['job send-email', 'POST /api/protected/login']) {
      const [parent] = named(name);
      const statements = spans().filter((each) => each.name === 'select' && each.parentSpanId === parent?.spanId);
      expect({ name, hasStatements: statements.length > 0 }).toEqual({ name, hasStatements: true });
    }
    expect(bodies.every((body) => body.startsWith('/v1/traces '))).toBe(true);
    expect(bodies.join()).not.toMatch(/@example\.com|cs_test_/);
  });
});

/** The body arrives once the server has seen the head. */
async function logInSlowly(): Promise<void> {
  const body = JSON.stringify({ email: 'kim@example.com', password: 'not the right one' });
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' };
  const login = request(`${product.url}/api/protected/login`, { method: 'POST', headers });
  login.flushHeaders();
  await once(login, 'continue');
  const answered: Promise<IncomingMessage[]> = once(login, 'response');
  login.end(body);
  const [reply] = await answered;
  expect(reply?.resume().statusCode).toBe(401);
}
