import { dictionary } from '@zxcvbn-ts/language-common';
import { denyPassword } from '#domain/accounts/passwords.ts';
import { characterCount, PASSWORD_MIN } from '#domain/limits.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';

const COUNT = 10_000;
/** The list begins with the most common ones. Shorter ones are refused anyway. */
export const commonPasswords = dictionary['passwords-common']
  .slice(0, COUNT)
  .filter((password) => characterCount(password) >= PASSWORD_MIN);
const inOneLookup: ReadonlySet<string> = new Set(commonPasswords);

/** Where money is real. The sandbox only warns, so that people who try the product can use any password. */
export function requireUncommonPassword(
  { takesRealMoney }: Pick<Deps, 'takesRealMoney'>,
  password: string,
  names: readonly (string | null)[],
): void {
  const denial = takesRealMoney && denyPassword(password, { names, commonPasswords: inOneLookup });
  if (denial) throw new AppError(`auth.${denial}`);
}
