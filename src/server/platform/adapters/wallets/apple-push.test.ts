import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { makeAppleKeys, PASS_TYPE } from '#tests/support/wallet-keys.ts';
import { startPushService } from '#tests/support/wallet-services.ts';
import type { PushService } from './apple-push.ts';
import { appleWallet } from './apple-wallet.ts';

const keys = makeAppleKeys();
const tokens = Array.from({ length: 120 }, (_, index) => index.toString(16).padStart(64, '0'));
const [first = '', second = ''] = tokens;

let apple: Awaited<ReturnType<typeof startPushService>>;
beforeAll(async () => {
  apple = await startPushService(keys);
});
afterAll(() => apple.close());

const notify = async (pushTokens: readonly string[], service: PushService = apple.service) =>
  (await appleWallet(keys.pem, service)).notify(pushTokens);

it('tells many phones over one connection, each once [WALLET-2]', async () => {
  const before = apple.connections();
  expect(await notify([...tokens, ...tokens])).toEqual(new Map(tokens.map((token) => [token, 'updated'])));
  expect(apple.connections() - before).toBe(1);
  expect(apple.pushes.map(({ token }) => token).toSorted()).toEqual(tokens);
  expect(new Set(apple.pushes.map(({ topic }) => topic))).toEqual(new Set([PASS_TYPE]));
});

it('opens no connection without a phone', async () => {
  expect(await notify([], { ...apple.service, origin: 'https://127.0.0.1:1' })).toEqual(new Map());
});

it.each([
  [410, 'Unregistered', 'gone'],
  [400, 'BadDeviceToken', 'gone'],
  [400, 'DeviceTokenNotForTopic', 'gone'],
  [400, 'BadTopic', undefined],
  [403, 'BadCertificate', undefined],
  [429, 'TooManyRequests', undefined],
  [503, undefined, undefined],
])('takes %s %s for what it means', async (status, reason, answer) => {
  apple.answers.set(first, { status, ...(reason && { reason }) });
  expect(await notify([first, second])).toEqual(
    new Map([...(answer ? ([[first, answer]] as const) : []), [second, 'updated']]),
  );
  apple.answers.clear();
});

it('rejects if nothing listens, if a stranger does, and if nothing is answered [WALLET-2]', async () => {
  await expect(
    notify([first], { ...apple.service, origin: `https://127.0.0.1:${await freePort()}` }),
  ).rejects.toThrow();
  await expect(notify([first], { ...apple.service, ca: null })).rejects.toThrow(/certificate/);
  const release = apple.hold();
  expect(await notify([first, second], { ...apple.service, timeoutMs: 2_000 })).toEqual(new Map());
  release();
});

it('loses no more than the answers when the connection breaks [WALLET-2]', async () => {
  const release = apple.hold();
  const before = apple.pushes.length;
  const notified = notify(tokens);
  await expect.poll(() => apple.pushes.length).toBeGreaterThan(before);
  apple.disconnect();
  expect(await notified).toEqual(new Map());
  release();
  expect((await notify([first])).get(first)).toBe('updated');
});
