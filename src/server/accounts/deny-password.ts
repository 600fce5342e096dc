import { dictionary } from '@zxcvbn-ts/language-common';
import { denyPassword } from '#domain/accounts/passwords.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';

const COUNT = 10_000;
/** The list begins with the most common ones. */
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, COUNT));

interface PasswordOwner {
  email: string;
  organizationName: string | null;
}

/** Where money is real. The sandbox only warns, so that people who try the product can use any password. */
export function requireUncommonPassword(
  { takesRealMoney }: Pick<Deps, 'takesRealMoney'>,
  password: string,
  owner: PasswordOwner,
): void {
  if (takesRealMoney && isCommonPassword(password, owner)) throw new AppError('auth.password-common');
}

export function isCommonPassword(password: string, owner: PasswordOwner): boolean {
  return denyPassword(password, { ...owner, commonPasswords }) !== null;
}
