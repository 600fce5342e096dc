/** Malformed bodies: unreadable ones, and ones that two parsers would read differently. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgotPassword, logout } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { createEvent } from '#contract/app/events.ts';
import { guestPage } from '#contract/app/guests.ts';
import { addPhotos } from '#contract/app/photos.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { resetLinkSent } from '#messages/accounts.ts';

import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { attendantOf, eventForm, eventOnSale } from '#tests/support/people.ts';
import { type RawAnswer, rawRequest } from '#tests/support/raw-request.ts';
import { cookieHeader } from '#tests/support/send-sample.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let owner: Awaited<ReturnType<typeof eventOnSale>>;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: true });
  owner = await eventOnSale(app);
});
afterAll(() => app.close());

const endpoints = await endpointsOfContract();
const json = endpoints
  .filter(([, { method, upload }]) => method !== 'GET' && !upload)
  .map(([, endpoint]) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

function post({ method, path }: AnyEndpoint, body: string | Buffer, type: string | null = 'application/json') {
  // Some calls end the session, so each call gets its own cookies.
  const headers: Record<string, string> = path === logout.path ? {} : { ...cookieHeader(owner.visitor.cookies) };
  if (type !== null) headers['content-type'] = type;
  return rawRequest(app.publicUrl, { method, path: path.replace(/:\w+/g, owner.eventId), headers, body });
}

type PlainCode =
  | 'request.unreadable'
  | 'request.not-json'
  | 'request.not-multipart'
  | 'request.too-large'
  | 'webhook.bad-signature';

const rejection = (status: number, code: PlainCode) => ({
  status,
  text: JSON.stringify(errorBody(code)),
  headers: { 'content-type': expect.stringMatching(/^application\/json\b/) },
});
const unreadable = rejection(400, 'request.unreadable');
const matching = ({ status, headers, text }: RawAnswer) => ({
  status,
  text,
  headers: { 'content-type': headers['content-type'] },
});

const DEEP = 10_000;
const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP);
const kB = (count: number) => count * 1024;
/** A body of exactly this many bytes, valid except for its length. */
const bodyOfBytes = (bytes: number) => `{"filler":"${'x'.repeat(bytes - 13)}"}`;

const broken: [what: string, body: string | Buffer][] = [
  ['nothing', ''],
  ['white space', ' \r\n '],
  ['truncated JSON', '{"eventId":"'],
  ['two values', '{} {}'],
  ['NaN', '{"eventId":NaN}'],
  ['Infinity', '{"eventId":-Infinity}'],
  ['undefined', '{"eventId":undefined}'],
  ['a comment', '{/* */}'],
  ['single quotes', "{'eventId':1}"],
  ['a trailing comma', '{"eventId":"1",}'],
  ['a form', 'eventId=1'],
  ['invalid UTF-8', Buffer.from('7b2265766e74223a22fffe227d', 'hex')],
  ['half a surrogate pair in UTF-8', Buffer.from('7b2261223a22eda080227d', 'hex')],
  ['ten thousand nested lists', nested('[', ']')],
  ['ten thousand nested objects', `{"eventId":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}`],
  ['ten thousand nested lists in a field', `{"eventId":${nested('[', ']')}}`],
  ['ten thousand unclosed lists', '['.repeat(DEEP)],
  ['a __proto__', '{"__proto__":{"isAdmin":true}}'],
  ['a null __proto__', '{"__proto__":null}'],
  ['an escaped __proto__', String.raw`{"\u005f\u005fproto\u005f\u005f":{"isAdmin":true}}`],
  ['a nested __proto__', '{"a":[{"b":{"__proto__":[]}}]}'],
  ['a constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ['a constructor that is a string', '{"constructor":"x"}'],
  ['a prototype', '{"prototype":{}}'],
];

const otherTypes: [what: string, type: string | null][] = [
  ['no type', null],
  ['plain text', 'text/plain'],
  ['plain text that mentions JSON', 'text/plain; application/json'],
  ['a cross-site form', 'application/x-www-form-urlencoded'],
  ['a cross-site form with files', 'multipart/form-data; boundary=x'],
  ['two types', 'text/plain, application/json'],
  ['a JSON subtype', 'application/vnd.api+json'],
  ['XML', 'application/xml'],
  ['no type at all, in words', '/'],
];

/** The names of inputs with another answer. */
async function answeredOtherwise<Sent>(
  all: [what: string, sent: Sent][],
  send: (sent: Sent) => Promise<RawAnswer>,
  right: { status: number; code: PlainCode },
) {
  const others: string[] = [];
  for (const [what, sent] of all) {
    const { status, headers, text } = await send(sent);
    const isRight = status === right.status && text === JSON.stringify(errorBody(right.code));
    if (!isRight || !headers['content-type']?.startsWith('application/json')) others.push(`${what}: ${status} ${text}`);
  }
  return others;
}

describe.each(json)('%s', (_title, endpoint) => {
  it('rejects unreadable bodies, endless nesting and prototype pollution', async () => {
    const right = { status: 400, code: 'request.unreadable' } as const;

    expect(await answeredOtherwise(broken, (body) => post(endpoint, body), right)).toEqual([]);
  });

  it('accepts only JSON', async () => {
    const right = { status: 415, code: 'request.not-json' } as const;

    expect(await answeredOtherwise(otherTypes, (type) => post(endpoint, '{}', type), right)).toEqual([]);
  });

  it('accepts 64 kB, or 1 MB where forms are large, and not a byte more', async () => {
    const most = kB(endpoint.isLarge ? 1024 : 64);
    expect((await post(endpoint, bodyOfBytes(most))).status).not.toBe(413);
    expect(matching(await post(endpoint, bodyOfBytes(most + 1)))).toEqual(rejection(413, 'request.too-large'));
  });
});

describe('a JSON body', () => {
  const ask = (body: string) => post(forgotPassword, body);
  const asked = { status: 200, text: JSON.stringify({ msg: resetLinkSent }) };

  it('may start with a byte order mark', async () => {
    expect(await ask('\ufeff{"email":"sam@example.com"}')).toMatchObject(asked);
  });

  it('may contain unknown fields of any name', async () => {
    expect(await ask('{"email":"sam@example.com","toString":1,"valueOf":null,"":[]}')).toMatchObject(asked);
  });

  it('is not read as complete when it is cut off', async () => {
    const output = await overWire(
      `POST ${forgotPassword.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"email":"sam@example.com"}`,
      { leaves: true },
    );

    expect(output).toMatch(/^HTTP\/1\.1 400 /);
    expect(output).toContain(JSON.stringify(errorBody('request.unreadable')));
  });

  it('of unknown length is limited to 64 kB as well', async () => {
    const chunk = 'x'.repeat(kB(8));
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(9);
    const output = await overWire(
      `POST ${forgotPassword.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
    );

    expect(output).toMatch(/^HTTP\/1\.1 413 /);
    expect(output).toContain(JSON.stringify(errorBody('request.too-large')));
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['duplicate chunked encoding', 'Transfer-Encoding: chunked, identity'],
    ['a length that is not a number', 'Content-Length: +2'],
  ])('with %s is rejected', async (_what, headers) => {
    const output = await overWire(
      `POST ${forgotPassword.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n{}`,
    );

    expect(output).toMatch(/^HTTP\/1\.1 400 /);
    expect(output).toContain(JSON.stringify(errorBody('request.unreadable')));
  });
});

describe('a malformed URL', () => {
  it.each(['/api/public/event/%zz', '/api/public/refund/%E0%A4%A/x', '/%', '/payment/%ff<script>'])(
    '%s is rejected, and not repeated',
    async (path) => {
      const output = await overWire(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

      expect(output).toMatch(/^HTTP\/1\.1 400 /);
      expect(output).toMatch(/content-security-policy: default-src 'none'/i);
      expect(output.split('\r\n\r\n')[1]).toBe(JSON.stringify(errorBody('request.unreadable')));
    },
  );
});

describe('POST /api/public/checkGuest', () => {
  it('authorizes the event that it checks, whichever of two comes first', async () => {
    // The calls above may have taken down the event that they named.
    const [mine, other] = [await eventOnSale(app), await eventOnSale(app)];
    const door = await attendantOf(app, mine.eventId, mine.attendantCode);
    const send = (first: string, last: string) =>
      rawRequest(app.publicUrl, {
        method: 'POST',
        path: checkGuest.path,
        headers: { 'content-type': 'application/json' },
        body: `{"eventId":"${first}","confirmationNumber":"1234567890","eventId":"${last}"}`,
        by: door,
      });

    expect(await send(mine.eventId, other.eventId)).toMatchObject({
      status: 401,
      text: JSON.stringify(errorBody('attendant-code.missing')),
    });
    expect((await send(other.eventId, mine.eventId)).status).toBe(404);
  });
});

describe('a lookalike value', () => {
  const ticket = { ticketName: 'Balcony', ticketDescription: 'Seated', ticketPrice: 24, ticketQuantity: 10 };

  it.each([
    ['latitude', { latitude: '0x10' }],
    ['latitude', { latitude: ' ' }],
    ['latitude', { latitude: '1e1' }],
    ['longitude', { longitude: [7] }],
    ['price', { tickets: [{ ...ticket, ticketPrice: '0x10' }] }],
    ['price', { tickets: [{ ...ticket, ticketPrice: '1e3' }] }],
    ['price', { tickets: [{ ...ticket, ticketPrice: '' }] }],
    ['price', { tickets: [{ ...ticket, ticketPrice: [24] }] }],
    ['quantity', { tickets: [{ ...ticket, ticketQuantity: '1e2' }] }],
    ['quantity', { tickets: [{ ...ticket, ticketQuantity: true }] }],
    ['waiting room', { useWaitingRoom: 'false' }],
  ])('POST /api/protected/event: is not %s: %j', async (_field, change) => {
    const answer = await post(createEvent, JSON.stringify({ ...eventForm(app), ...change }));

    expect(answer.status).toBe(400);
  });

  it.each(['"2"', '[2]', 'true', '2.5', '1e309', '-0', 'null', '{"valueOf":2}'])(
    'POST /api/public/create-checkout-session: is not a quantity: %s',
    async (quantity) => {
      const cart = `{"eventId":"${owner.eventId}","cartItems":[{"ticketName":"Balcony","quantity":${quantity}}]}`;

      expect((await post(createCheckoutSession, cart)).status).toBe(400);
    },
  );

  it.each(['0x10', '1e1', '%20', '+5', '-1', '1.5', '5&limit=6', 'NaN'])(
    'GET /api/protected/event/:eventId/guests: is not a limit: %s',
    async (limit) => {
      const path = guestPage.path.replace(':eventId', owner.eventId);
      const by = owner.visitor;

      expect((await rawRequest(app.publicUrl, { method: 'GET', path: `${path}?limit=${limit}`, by })).status).toBe(400);
    },
  );
});

describe(`POST ${addPhotos.path}`, () => {
  const part = (name: string, value: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const upload = (body: string, type = 'multipart/form-data; boundary=x') => post(addPhotos, body, type);
  const END = '--x--\r\n';

  it.each([
    ['an unterminated form', part('eventId', 'x')],
    ['an unterminated file', part('images', 'x', '; filename="a.png"')],
    ['an unterminated part', '--x\r\nContent-Disposition: form-data; name="eve'],
    ['a field named __proto__', part('__proto__', 'x') + END],
    ['a field named constructor', part('constructor', 'x') + END],
    ['a NUL', part('eventId', 'x\0') + END],
    [
      'JSON in a field',
      `--x\r\nContent-Disposition: form-data; name="eventId"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n${END}`,
    ],
  ])('rejects %s', async (_what, body) => {
    expect(matching(await upload(body))).toEqual(unreadable);
  });

  it('requires a boundary', async () => {
    expect(matching(await upload(part('eventId', 'x') + END, 'multipart/form-data'))).toEqual(unreadable);
  });

  it('rejects more fields than it uses', async () => {
    expect(matching(await upload(part('eventId', 'x').repeat(21) + END))).toEqual(rejection(413, 'request.too-large'));
  });

  it('rejects JSON', async () => {
    expect(matching(await upload('{"eventId":"x"}', 'application/json'))).toEqual(
      rejection(415, 'request.not-multipart'),
    );
  });
});

describe('POST /api/webhooks/stripe', () => {
  const notify = (body: string | Buffer, headers: Record<string, string> = {}) =>
    rawRequest(app.publicUrl, { method: 'POST', path: '/api/webhooks/stripe', headers, body });

  it('accepts a megabyte, and not a byte more', async () => {
    expect(matching(await notify('x'.repeat(kB(1024))))).toEqual(rejection(400, 'webhook.bad-signature'));
    expect(matching(await notify('x'.repeat(kB(1024) + 1)))).toEqual(rejection(413, 'request.too-large'));
  });

  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['a hundred thousand lists', '['.repeat(100_000)],
    ['invalid UTF-8', Buffer.from('fffe00', 'hex')],
    ['a __proto__', '{"__proto__":{"livemode":true}}'],
  ])('rejects %s by its signature, without parsing it', async (_what, body) => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const signature = { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
      expect(matching(await notify(body, { 'content-type': type, ...signature }))).toEqual(
        rejection(400, 'webhook.bad-signature'),
      );
    }
  });
});

const TIMEOUT_MS = 20_000;

/**
 * The first complete response, or the error when the server closes the connection. With `leaves`, nothing is sent after
 * the text.
 */
function overWire(text: string, { leaves = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const port = Number(new URL(app.publicUrl).port);
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: leaves }, () =>
      leaves ? socket.end(text) : socket.write(text),
    );
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no complete response: ${output}`)));
    socket.on('data', (piece) => {
      output += piece;
      if (isWhole(output)) socket.destroy();
    });
    // A server may reject a body without reading all of it.
    socket.on('error', (error) => output === '' && reject(error));
    socket.on('close', () => resolve(output));
  });
}

function isWhole(answer: string): boolean {
  const [head = '', body] = answer.split('\r\n\r\n', 2);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}
