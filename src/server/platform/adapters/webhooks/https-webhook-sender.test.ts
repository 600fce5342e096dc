/** Where webhooks can't be sent: whatever only this server reaches. */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataDirectory } from '#tests/support/test-database.ts';
import { httpsWebhookSender } from './https-webhook-sender.ts';
import { isOnInternet, type Resolve, resolverOf } from './webhook-address.ts';

const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const PUBLIC = '93.184.215.14';

const message = { id: 'msg_1', body: '{}', secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`] };

let asked = 0;
let local: Server;
let port: number;
beforeAll(async () => {
  local = createHttp((_request, reply) => {
    asked += 1;
    reply.end();
  }).listen(0, '127.0.0.1');
  await once(local, 'listening');
  ({ port } = local.address() as AddressInfo);
});
afterAll(() => local.close());

describe('An address', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:93.184.215.14',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is on no internet [HOOK-1]', (address) => {
    expect(isOnInternet(address)).toBe(false);
  });

  it.each([PUBLIC, '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])('%s is on the internet', (address) => {
    expect(isOnInternet(address)).toBe(true);
  });

  it.each([
    ['http', 'http://hooks.example/'],
    ['another port', 'https://hooks.example:25/'],
    ['credentials', 'https://user:password@hooks.example/'],
    ['a user', 'https://user@hooks.example/'],
    ['no URL', 'hooks.example'],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
  ])('with %s is refused [HOOK-1]', async (_what, url) => {
    const sender = httpsWebhookSender({ resolve: resolvesTo(PUBLIC) });

    expect(await sender.isAllowed(url)).toBe(false);
    expect(await sender.send({ ...message, url })).toMatchObject({ status: null, problem: 'refused' });
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1:8443/',
  ])('%s is refused [HOOK-1]', async (url) => {
    const sender = httpsWebhookSender();

    expect(await sender.isAllowed(url)).toBe(false);
    expect(await sender.send({ ...message, url })).toMatchObject({ problem: 'refused' });
  });

  it.each([
    ['https', 'https://hooks.example/', [PUBLIC], true],
    ['port 443', 'https://hooks.example:443/', [PUBLIC], true],
    ['port 8443', 'https://hooks.example:8443/', [PUBLIC], true],
    ['one public and one private address', 'https://hooks.example/', [PUBLIC, '10.0.0.1'], false],
    ['a private address', 'https://hooks.example/', ['10.0.0.1'], false],
    ['the loopback address', 'https://localtest.example/', ['::1'], false],
    ['no address', 'https://hooks.example/', [], false],
  ])('of a name with %s: %s', async (_what, url, addresses, isAllowed) => {
    expect(await httpsWebhookSender({ resolve: resolvesTo(...addresses) }).isAllowed(url)).toBe(isAllowed);
  });

  it('of a name that no server knows is refused', async () => {
    const sender = httpsWebhookSender({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });

    expect(await sender.isAllowed('https://hooks.example/')).toBe(false);
    expect(await sender.send({ ...message, url: 'https://hooks.example/' })).toMatchObject({ problem: 'unreachable' });
  });
});

describe('A name', () => {
  it('that leads to the internet at first and to this machine later is refused when it is called [HOOK-1]', async () => {
    let calls = 0;
    const sender = httpsWebhookSender({ resolve: (name) => resolvesTo(calls++ === 0 ? PUBLIC : '127.0.0.1')(name) });
    const url = 'https://hooks.example:8443/';

    expect(await sender.isAllowed(url)).toBe(true);
    expect(await sender.send({ ...message, url })).toMatchObject({ status: null, problem: 'refused' });
  });

  it('is resolved once per call, and the connection goes to what was checked [HOOK-1]', async () => {
    const names: string[] = [];
    const before = asked;
    const sender = httpsWebhookSender({
      allowsLoopback: true,
      resolve: async (name) => {
        names.push(name);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });

    expect(await sender.send({ ...message, url: `http://hooks.example:${port}/` })).toMatchObject({ status: 200 });
    expect([names, asked - before]).toEqual([['hooks.example'], 1]);
  });

  it('without the setting for development never leads to this machine [HOOK-1]', async () => {
    const before = asked;
    const sender = httpsWebhookSender({ resolve: resolvesTo('127.0.0.1') });

    for (const url of [`http://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/`, `http://hooks.example:${port}/`])
      expect(await sender.send({ ...message, url })).toMatchObject({ problem: 'refused' });
    expect(asked).toBe(before);
  });

  it('with the setting for development leads to this machine, but not to its network', async () => {
    const sender = httpsWebhookSender({ allowsLoopback: true, resolve: resolvesTo('10.0.0.1') });

    expect(await sender.isAllowed(`http://localhost:${port}/`)).toBe(false);
    expect(await sender.isAllowed(`http://127.0.0.1:${port}/`)).toBe(true);
  });

  it('needs a certificate that Node trusts', async () => {
    const folder = makeDataDirectory();
    const command = 'req -x509 -newkey rsa:2048 -nodes -keyout own.key -out own.pem -subj /CN=hooks.example';
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: 'pipe' });
    const server = createHttps({
      key: readFileSync(join(folder, 'own.key')),
      cert: readFileSync(join(folder, 'own.pem')),
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sender = httpsWebhookSender({ allowsLoopback: true, resolve: resolvesTo('127.0.0.1') });

    const { port: own } = server.address() as AddressInfo;
    expect(await sender.send({ ...message, url: `https://hooks.example:${own}/` })).toMatchObject({
      status: null,
      problem: 'unreachable',
    });
    server.close();
  });
});

describe('The name server', () => {
  /** Answers for `hooks.example` with an IPv4 address, for `nowhere.example` with none, and nothing at all for other names. */
  async function startNameServer(timeoutMs = 10_000) {
    const server = createSocket('udp4').bind(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('message', (question, { port: from, address }) => {
      const name = question.toString('latin1', 12).replace(/[^a-z]+/g, ' ');
      const isKnown = name.startsWith(' hooks example') && question.at(-3) === 1;
      if (!isKnown && !/^ (?:hooks|nowhere) example/.test(name)) return;
      const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...PUBLIC.split('.').map(Number)]);
      const head = Buffer.from([0x81, 0x80, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0]);
      const asked = question.subarray(12, question.indexOf(0, 12) + 5);
      server.send(Buffer.concat([question.subarray(0, 2), head, asked, ...(isKnown ? [record] : [])]), from, address);
    });
    return { resolve: resolverOf([`127.0.0.1:${server.address().port}`], timeoutMs), stop: () => server.close() };
  }

  it('is asked for both kinds of addresses', async () => {
    const { resolve, stop } = await startNameServer();

    expect(await resolve('hooks.example')).toEqual([{ address: PUBLIC, family: 4 }]);
    expect(await httpsWebhookSender({ resolve }).isAllowed('https://nowhere.example/')).toBe(false);
    stop();
  });

  it('that is silent makes the receiver unreachable, and holds no other name up [HOOK-5]', async () => {
    const { resolve, stop } = await startNameServer(200);
    const sender = httpsWebhookSender({ resolve });
    const silent = Array.from({ length: 20 }, () => sender.send({ ...message, url: 'https://silent.example/' }));

    expect((await lookup('localhost')).address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
    for (const answer of await Promise.all(silent))
      expect(answer).toMatchObject({ status: null, problem: 'unreachable' });
    stop();
  });
});

describe('A receiver', () => {
  it('that answers nothing, or never ends its answer, is silent [HOOK-5]', async () => {
    const server = createHttp((request, reply) => {
      if (request.url === '/drip') reply.writeHead(200).write('x');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: own } = server.address() as AddressInfo;
    const sender = httpsWebhookSender({ allowsLoopback: true, timeoutMs: 200 });

    for (const path of ['nothing', 'drip'])
      expect(await sender.send({ ...message, url: `http://127.0.0.1:${own}/${path}` })).toMatchObject({
        status: null,
        problem: 'silent',
      });
    server.closeAllConnections();
    server.close();
  });

  it('that answers without end is cut off, and its status counts [HOOK-5]', async () => {
    let isOpen = true;
    const server = createHttp((_request, reply) => {
      reply.on('close', () => {
        isOpen = false;
      });
      reply.writeHead(200);
      const fill = () => {
        while (isOpen && reply.write(Buffer.alloc(16_384)));
      };
      reply.on('drain', fill);
      fill();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: own } = server.address() as AddressInfo;
    const sender = httpsWebhookSender({ allowsLoopback: true });

    expect(await sender.send({ ...message, url: `http://127.0.0.1:${own}/` })).toMatchObject({ status: 200 });
    await expect.poll(() => isOpen).toBe(false);
    server.close();
  });

  it('that changes the protocol, or hangs up, ends the call [HOOK-5]', async () => {
    const server = createTcp((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => {
        const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
        if (data.toString().startsWith('POST /upgrade')) socket.write(answer);
        else socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: own } = server.address() as AddressInfo;
    const sender = httpsWebhookSender({ allowsLoopback: true });
    const answerTo = (path: string) => sender.send({ ...message, url: `http://127.0.0.1:${own}/${path}` });

    expect(await answerTo('upgrade')).toMatchObject({ status: 101, problem: null });
    expect(await answerTo('hang-up')).toMatchObject({ status: null, problem: 'unreachable' });
    server.close();
  });

  it('that isn’t there is unreachable', async () => {
    expect(
      await httpsWebhookSender({ allowsLoopback: true }).send({ ...message, url: 'http://127.0.0.1:1/' }),
    ).toMatchObject({ status: null, problem: 'unreachable' });
  });
});
