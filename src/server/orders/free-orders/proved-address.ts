/** The address that this browser proved last, for a day: in a signed HttpOnly cookie, of which the server keeps nothing. */
import { PROVED_ADDRESS_HOURS } from '#domain/sales/free-orders.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Cookies } from '#server/platform/http/cookies.ts';
import { isSigned, sign } from '#server/platform/secrets.ts';

export interface ProvedAddress {
  is: (email: string, now: Date) => boolean;
  remember: (email: string, now: Date) => void;
}

const PURPOSE = 'proved address';

const COOKIE = /^(\d{1,15})\.([\w-]{43})$/;

export function provedAddress({ appSecret }: Pick<Deps, 'appSecret'>, cookies: Cookies): ProvedAddress {
  return {
    is(email, now) {
      const [, until = '', signature = ''] = COOKIE.exec(cookies.read('proved-email') ?? '') ?? [];
      return Number(until) > now.getTime() && isSigned(appSecret, PURPOSE, textOf(until, email), signature);
    },
    remember(email, now) {
      const until = String(now.getTime() + PROVED_ADDRESS_HOURS * 60 * 60 * 1000);
      const signature = sign(appSecret, PURPOSE, textOf(until, email));
      cookies.write('proved-email', `${until}.${signature}`, PROVED_ADDRESS_HOURS * 60 * 60);
    },
  };
}

const textOf = (until: string, email: string) => `${until} ${email.toLowerCase()}`;
