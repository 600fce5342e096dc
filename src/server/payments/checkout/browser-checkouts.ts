/**
 * The checkouts that a browser started, in a signed HttpOnly cookie: all of its tabs share it, and reserving writes nothing more.
 * See docs/decisions/0053.
 */
import type { OrderRef } from '#domain/order.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Cookies } from '#server/platform/http/cookies.ts';
import { type AppSecret, isSigned, sign } from '#server/platform/secrets.ts';

export interface BrowserCheckouts {
  /** Newest first. Most have ended. */
  refs: readonly OrderRef[];
  add: (order: OrderRef) => void;
}

/** Of a client without cookies. */
export const NO_CHECKOUTS: BrowserCheckouts = { refs: [], add() {} };

/** Twice the limit of open ones: about a kilobyte. The oldest is dropped. */
const KEPT_MAX = 20;
/** Longer than any reservation. */
const COOKIE_SECONDS = 24 * 60 * 60;

const PURPOSE = 'browser checkouts';

const COOKIE = /^([\w-]{43})~(.+)$/;
const REF = /^([\w-]{16})\.([0-9a-f-]{36})$/;

export function browserCheckouts({ appSecret }: Pick<Deps, 'appSecret'>, cookies: Cookies): BrowserCheckouts {
  const refs = parse(cookies.read('checkouts'), appSecret);
  return {
    refs,
    add({ eventId, orderId }) {
      if (refs[0]?.orderId === orderId) return;
      const others = refs.filter((ref) => ref.orderId !== orderId);
      const body = [{ eventId, orderId }, ...others]
        .slice(0, KEPT_MAX)
        .map((ref) => `${ref.eventId}.${ref.orderId}`)
        .join('~');
      cookies.write('checkouts', `${sign(appSecret, PURPOSE, body)}~${body}`, COOKIE_SECONDS);
    },
  };
}

function parse(cookie: string | undefined, appSecret: AppSecret): OrderRef[] {
  const [, signature = '', body = ''] = COOKIE.exec(cookie ?? '') ?? [];
  if (!isSigned(appSecret, PURPOSE, body, signature)) return [];
  return body.split('~').flatMap((text) => {
    const [, eventId, orderId] = REF.exec(text) ?? [];
    return eventId && orderId ? [{ eventId, orderId }] : [];
  });
}
