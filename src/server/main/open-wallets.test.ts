import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError } from '#server/platform/settings.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';
import { ISSUER, makeAppleKeys, makeGoogleKeys } from '#tests/support/wallet-keys.ts';
import { openWallets } from './open-wallets.ts';

const folder = makeDataDirectory();
const apple = makeAppleKeys();
const google = makeGoogleKeys();

function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const googleAt = (file: string) => ({ file, issuerId: ISSUER });

it('offers no wallet without its keys [WALLET-1]', async () => {
  expect(await openWallets({ appleWalletFile: null, googleWallet: null })).toEqual({ apple: null, google: null });
  const appleWalletFile = fileOf('apple.pem', apple.pem);
  expect(await openWallets({ appleWalletFile, googleWallet: null })).toEqual({
    apple: expect.anything(),
    google: null,
  });
  const googleWallet = googleAt(fileOf('google.json', google.json));
  expect(await openWallets({ appleWalletFile: null, googleWallet })).toEqual({
    apple: null,
    google: expect.anything(),
  });
});

it.each([
  [
    'no file',
    { appleWalletFile: join(folder, 'none'), googleWallet: null },
    /^APPLE_WALLET_FILE is ".*none": no such file/,
  ],
  [
    'half of the keys',
    { appleWalletFile: fileOf('half.pem', apple.pemWithoutIssuer), googleWallet: null },
    /^APPLE_WALLET_FILE/,
  ],
  [
    'another kind of key',
    { appleWalletFile: null, googleWallet: googleAt(fileOf('a.json', apple.pem)) },
    /^GOOGLE_WALLET_FILE/,
  ],
  [
    'no key',
    { appleWalletFile: null, googleWallet: googleAt(fileOf('b.json', '{"client_email":"a@b.co"}')) },
    /^GOOGLE_WALLET_FILE/,
  ],
])('does not start with %s, and prints none of it', async (_what, config, message) => {
  const error: unknown = await openWallets(config).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String((error as Error).message)).toMatch(message);
  expect(String((error as Error).message)).not.toMatch(/PRIVATE|client_email/);
});
