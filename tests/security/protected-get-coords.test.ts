/** A hostile geocoder on the internet: its responses, redirects and delays. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { censusGeocoder } from '#server/platform/adapters/census/census-geocoder.ts';
import { isPublicAddress } from '#server/platform/adapters/census/is-public-address.ts';

const address = { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postalCode: '11211' };
const FALLBACK = { latitude: 1, longitude: 2 };
const found = (x: unknown, y: unknown) => JSON.stringify({ result: { addressMatches: [{ coordinates: { x, y } }] } });

let server: Server;
let asked: string[];
let failures: unknown[];
let answer: RequestListener;
beforeEach(async () => {
  [asked, failures] = [[], []];
  server = createServer((request, reply) => {
    asked.push(request.url ?? '');
    answer(request, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function originOf(host: string): string {
  const at = server.address();
  return `http://${host}:${typeof at === 'object' ? at?.port : 0}`;
}
const geocoder = ({ host = '127.0.0.1', mayBePrivate = true } = {}) =>
  censusGeocoder({
    fallback: { locate: async () => FALLBACK },
    onFailure: (error) => failures.push(error),
    source: { origin: originOf(host), mayBePrivate },
  });

describe('POST /api/protected/get-coords with a geocoder on the internet', () => {
  it('sends the input as values, never as another parameter or path', async () => {
    answer = (_request, reply) => reply.end(found(-73.95, 40.71));

    const street = '1 A&benchmark=evil#x /../../admin?key=\r\nHost: evil';
    const place = await geocoder().locate({ ...address, street });

    expect(place).toEqual({ latitude: 40.71, longitude: -73.95 });
    const url = new URL(asked[0] ?? '', 'http://here');
    expect(url.pathname).toBe('/geocoder/locations/address');
    expect([...url.searchParams.keys()]).toEqual(['street', 'city', 'state', 'zip', 'benchmark', 'format']);
    expect(url.searchParams.get('benchmark')).toBe('Public_AR_Current');
  });

  it('looks up an address once, however it is spelled', async () => {
    answer = (_request, reply) => reply.end(found(-73.95, 40.71));
    const asking = geocoder();

    for (const street of ['38 Withers St', ' 38  withers ST ']) await asking.locate({ ...address, street });

    expect(asked).toHaveLength(1);
  });

  it.each<[string, RequestListener]>([
    ['a redirect', (_request, reply) => reply.writeHead(302, { location: originOf('127.0.0.1') }).end()],
    ['an error', (_request, reply) => reply.writeHead(500).end(found(1, 1))],
    ['a response that is not JSON', (_request, reply) => reply.end('<html>')],
    ['an unexpected document', (_request, reply) => reply.end('{"result": {}}')],
    ['invalid coordinates', (_request, reply) => reply.end(found(-7395, 40.71))],
    ['coordinates in words', (_request, reply) => reply.end(found('-73.95', '40.71'))],
    ['an oversized response', (_request, reply) => reply.end(`${found(1, 1)}${' '.repeat(70_000)}`)],
    [
      'half a response',
      (_request, reply) => reply.writeHead(200, { 'content-length': 99 }).write('{') && reply.destroy(),
    ],
  ])('falls back to the ZIP code after %s', async (_what, listener) => {
    answer = listener;

    expect(await geocoder().locate(address)).toEqual(FALLBACK);
    expect(asked).toHaveLength(1);
    expect(failures).toHaveLength(1);
    expect(String(failures[0])).not.toMatch(/withers|html/i);
  });

  it('gives up after three seconds, even if bytes keep trickling in', async () => {
    answer = (_request, reply) => {
      reply.writeHead(200);
      const drip = setInterval(() => reply.write(' '), 100);
      reply.on('close', () => clearInterval(drip));
    };
    const begun = performance.now();

    expect(await geocoder().locate(address)).toEqual(FALLBACK);
    const tookMs = performance.now() - begun;
    expect(tookMs).toBeGreaterThan(2_900);
    // A trickling response never ends by itself; a slow machine adds its own delay.
    expect(tookMs).toBeLessThan(15_000);
  });

  it('does not connect to a private address, whatever its name resolves to', async () => {
    answer = (_request, reply) => reply.end(found(1, 1));

    expect(await geocoder({ host: 'localhost', mayBePrivate: false }).locate(address)).toEqual(FALLBACK);
    expect(asked).toEqual([]);
    expect(String(failures[0])).toMatch(/not on the public internet/);
  });
});

describe('a public address', () => {
  it.each(['8.8.8.8', '172.32.0.1', '2600:1f18::1'])('is one: %s', (one) => {
    expect(isPublicAddress(one)).toBe(true);
  });

  const hidden =
    '127.0.0.1 0.0.0.0 10.1.2.3 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255 ' +
    '::1 :: ::ffff:127.0.0.1 ::ffff:8.8.8.8 fe80::1 fd00:ec2::254 64:ff9b::7f00:1 2002:7f00:1:: 2001:0:1:: ff02::1 ' +
    'localhost 2130706433';
  it.each(hidden.split(' '))('is not one: %s', (one) => {
    expect(isPublicAddress(one)).toBe(false);
  });
});
