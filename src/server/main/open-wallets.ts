/** Reads the keys with which passes are signed. One that is set but doesn't work stops the start. */
import { readFile } from 'node:fs/promises';
import { appleWallet } from '#server/platform/adapters/wallets/apple-wallet.ts';
import { googleWallet } from '#server/platform/adapters/wallets/google-wallet.ts';
import type { Config } from '#server/platform/config.ts';
import type { Wallets } from '#server/platform/ports/wallets.ts';
import { ConfigError } from '#server/platform/settings.ts';

export async function openWallets({
  appleWalletFile: apple,
  googleWallet: google,
}: Pick<Config, 'appleWalletFile' | 'googleWallet'>): Promise<Wallets> {
  return {
    apple: apple === null ? null : await read('APPLE_WALLET_FILE', apple, appleWallet),
    google: google && (await read('GOOGLE_WALLET_FILE', google.file, (json) => googleWallet(json, google))),
  };
}

async function read<T>(setting: string, file: string, open: (content: string) => T | Promise<T>): Promise<T> {
  try {
    return await open(await readFile(file, 'utf8'));
  } catch (error) {
    // Not with the error's details, which may quote the key.
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'no such file'
        : 'not the keys that it needs';
    throw new ConfigError(`${setting} is "${file}": ${reason}. docs/running.md says what the file contains`);
  }
}
