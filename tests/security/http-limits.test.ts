/** Attacks on HTTP itself: oversized requests, ambiguous requests, and injected headers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgotPassword, register } from '#contract/app/accounts.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { addPhotos } from '#contract/app/photos.ts';

import { errorBody } from '#tests/support/error-body.ts';
import { emailsTo, eventOnSale, generalAdmission, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { openRaw, sendRaw, statusesIn } from '#tests/support/raw-connection.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const HOST = 'host: 127.0.0.1\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const post = (path: string, headers: string, body: string) =>
  `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}connection: close\r\n${headers}\r\n${body}`;
const ask = (request: string) => sendRaw(app.publicUrl, request);
const get = (target: string, headers = '', method = 'GET') =>
  ask(`${method} ${target} HTTP/1.1\r\n${HOST}connection: close\r\n${headers}\r\n`);

describe('oversized requests', () => {
  it.each([
    ['a URL of more than 8 KB', 414, `/payment/${'a'.repeat(8 * 1024)}`, ''],
    ['more than 100 headers', 431, '/livez', 'x-more: 1\r\n'.repeat(101)],
    ['more than 16 KB of headers', 431, '/livez', `x-long: ${'a'.repeat(17 * 1024)}\r\n`],
  ])('are rejected: %s', async (_what, status, target, headers) => {
    const answer = await get(target, headers);

    expect(statusesIn(answer)).toEqual([status]);
    expect(answer).toContain(JSON.stringify(errorBody('request.too-large')));
  });

  it('get a 413 for their declared length, before any of the body arrives', async () => {
    const connection = await openRaw(app.publicUrl);
    connection.send(post(createCheckoutSession.path, 'content-length: 1000000000\r\n', ''));

    expect(statusesIn(await connection.ended)).toEqual([413]);
  });

  it('get a 413 once a body of undeclared length is too long, and are read no further', async () => {
    const connection = await openRaw(app.publicUrl);
    connection.send(post(createCheckoutSession.path, 'transfer-encoding: chunked\r\n', ''));
    // 80 KB, without an end.
    connection.send(`4000\r\n${'a'.repeat(0x4000)}\r\n`.repeat(5));

    const answer = await connection.ended;
    expect(statusesIn(answer)).toEqual([413]);
  });

  it.each(['gzip', 'br', 'deflate'])('are not decompressed: a body in %s is read as sent', async (encoding) => {
    const answer = await ask(
      post(createCheckoutSession.path, `content-encoding: ${encoding}\r\ncontent-length: 2\r\n`, '{}'),
    );

    expect(statusesIn(answer)).toEqual([400]);
  });
});

describe('ambiguous requests', () => {
  const body = '{"email":"a@example.com"}';
  const smuggled = 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n';

  it.each([
    ['a length and chunks', 'content-length: 6\r\ntransfer-encoding: chunked\r\n', `0\r\n\r\n${smuggled}`],
    ['chunks and a length', 'transfer-encoding: chunked\r\ncontent-length: 6\r\n', `0\r\n\r\n${smuggled}`],
    ['two lengths', `content-length: ${body.length}\r\ncontent-length: 0\r\n`, body],
    ['a list of lengths', `content-length: ${body.length}, 0\r\n`, body],
    ['a length with a sign', `content-length: +${body.length}\r\n`, body],
    ['a length in hexadecimal', 'content-length: 0x19\r\n', body],
    ['chunked as a coding other than the last', 'transfer-encoding: chunked, identity\r\n', `0\r\n\r\n${smuggled}`],
    ['a disguised chunked header', 'transfer-encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`],
    ['chunked after a tab', 'transfer-encoding:\tchunked\r\ncontent-length: 6\r\n', `0\r\n\r\n${smuggled}`],
    ['a space before the colon', 'transfer-encoding : chunked\r\n', `0\r\n\r\n${smuggled}`],
    ['a folded header', 'x-folded: a\r\n transfer-encoding: chunked\r\n', ''],
    ['a bare line feed', `x-bare: a\ncontent-length: 0\r\n`, ''],
    ['a bare carriage return', 'x-bare: a\rtransfer-encoding: chunked\r\n', ''],
    ['a chunk whose size overflows', 'transfer-encoding: chunked\r\n', 'fffffffffffffffff\r\na\r\n0\r\n\r\n'],
    ['a chunk with a sign', 'transfer-encoding: chunked\r\n', `+1\r\na\r\n0\r\n\r\n${smuggled}`],
    ['NUL in a header', 'x-nul: a\0b\r\n', ''],
  ])('are rejected, and nothing after them is read: %s', async (_what, headers, sent) => {
    const answer = await ask(`POST ${forgotPassword.path} HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}\r\n${sent}`);

    expect(statusesIn(answer)).toEqual([400]);
  });

  it.each([
    ['without a host', 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['of another protocol', 'GET /livez HTTP/3.7\r\nhost: a\r\n\r\n', 400],
    ['for HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['that are not HTTP', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400],
  ])('are rejected: ones %s', async (_what, request, status) => {
    expect(statusesIn(await ask(request))).toEqual([status]);
  });

  it('lose the connection when a GET has a body that looks like a request', async () => {
    const answer = await ask(
      `GET /livez HTTP/1.1\r\n${HOST}connection: close\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`,
    );

    expect(statusesIn(answer)).toEqual([200]);
  });
});

describe('methods', () => {
  const path = publicEvent.path.replace(':eventId', 'NoSuchEvent_0000');

  it('answers HEAD like GET, without a body', async () => {
    const answer = await get('/livez', '', 'HEAD');

    expect(statusesIn(answer)).toEqual([200]);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });

  it.each(['OPTIONS', 'TRACE', 'PUT', 'DELETE', 'PROPFIND'])('rejects %s, and does not repeat it', async (method) => {
    for (const target of [path, createCheckoutSession.path, '/']) {
      const answer = await get(target, 'x-secret: repeated\r\norigin: https://evil.example\r\n', method);

      expect(statusesIn(answer)).toEqual([404]);
      expect(answer).not.toMatch(/repeated|access-control|allow:/i);
    }
  });

  it.each(['CONNECT evil.example:443', 'FROBNICATE /', 'get /'])('closes the connection on %s', async (line) => {
    const answer = await ask(`${line} HTTP/1.1\r\n${HOST}\r\n`);

    expect(statusesIn(answer).filter((status) => status !== 400)).toEqual([]);
  });

  it('supports no upgrade', async () => {
    const answer = await ask(
      `GET /livez HTTP/1.1\r\n${HOST}connection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n`,
    );

    expect(statusesIn(answer)).not.toContain(101);
  });
});

describe('URLs', () => {
  it.each([
    '//evil.example',
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '/%5cevil.example',
    '/%2f%2fevil.example',
    '/login//evil.example',
    '/static/..%2f..%2fpackage.json',
    '/static/%2e%2e/%2e%2e/package.json',
    '/api/public/event/..%2f..%2fprotected%2fprofile',
    '/photos/..%2f..%2fapp-secret',
    '/%00',
    '/javascript:alert(1)',
  ])('lead nowhere: %s', async (target) => {
    const answer = await get(target);

    expect([400, 404]).toContain(statusesIn(answer)[0]);
    expect(answer).not.toMatch(/^location:/im);
    expect(answer).not.toContain('evil.example');
  });

  it.each(['/%', '/%zz', '/payment/%c0%af', '/api/public/event/%ff'])(
    'that are unreadable cause no error: %s',
    async (target) => {
      const [status = 0] = statusesIn(await get(target));

      expect([400, 404]).toContain(status);
    },
  );

  it('are routed by path, also when they name a host as for a proxy', async () => {
    const answer = await get('http://evil.example/api/protected/profile');

    expect([400, 401, 404]).toContain(statusesIn(answer)[0]);
    expect(answer).not.toContain('evil.example');
  });

  it('have one spelling: case and trailing slashes matter', async () => {
    for (const target of ['/API/public/event/NoSuchEvent_0000', `${register.path}/`]) {
      expect(await get(target)).toContain(JSON.stringify(errorBody('page.not-found')));
    }
  });
});

describe('the Host header', () => {
  const poisoned = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  const headers = Object.entries(poisoned)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const post = (path: string, body: unknown, more = '') => {
    const json = JSON.stringify(body);
    return ask(
      `POST ${path} HTTP/1.1\r\n${headers}${more}${JSON_TYPE}connection: close\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
    );
  };

  it('does not affect links in emails', async () => {
    const email = 'poisoned@example.com';
    await post(register.path, { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true });
    await post(forgotPassword.path, { email });

    const emails = await emailsTo(app, email);
    expect(emails).toHaveLength(2);
    for (const message of emails) {
      expect(message.text).toContain(app.publicUrl);
      expect(`${message.text}${message.html}${message.subject}`).not.toContain('evil.example');
    }
  });

  it('does not affect URLs in responses', async () => {
    const { eventId } = await eventOnSale(app);
    const bought = await post(createCheckoutSession.path, { eventId, cartItems: generalAdmission(1) });
    const seen = await ask(
      `GET ${publicEvent.path.replace(':eventId', eventId)} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`,
    );

    expect([statusesIn(bought), statusesIn(seen)]).toEqual([[200], [200]]);
    expect(bought).toContain(`${app.publicUrl}/`);
    expect(`${bought}${seen}`).not.toContain('evil.example');
  });
});

describe(`POST ${addPhotos.path}`, () => {
  it('reads nothing of an upload without a session', async () => {
    const connection = await openRaw(app.publicUrl);
    connection.send(
      `POST ${addPhotos.path} HTTP/1.1\r\n${HOST}content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000000\r\n\r\n--b\r\n`,
    );

    await expect.poll(() => statusesIn(connection.received())).toEqual([401]);
    connection.leave();
  });

  it('accepts no JSON body, and no other endpoint accepts a form', async () => {
    const { visitor } = await newOrganizer(app);
    const form = new FormData();
    form.append('email', 'a@example.com');

    expect((await visitor.send(addPhotos, { eventId: 'x' })).status).toBe(415);
    expect((await visitor.request(forgotPassword.path, { method: 'POST', body: form })).status).toBe(415);
  });
});
