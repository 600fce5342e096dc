/** Orders named in addresses that only we can make: the page of an order, and of a free order that waits for its buyer's proof. */
import type { OrderRef } from '#domain/order.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AppSecret, isSigned, sign } from '#server/platform/secrets.ts';

const PURPOSE = 'order page';

/** The address doesn't change, and is all that the page asks of a buyer. */
export const orderUrl = (deps: Pick<Deps, 'appSecret' | 'publicUrl'>, order: OrderRef): string =>
  `${deps.publicUrl}/order/${orderToken(deps, order)}`;

/** The form that writes to the organizer: of an order, whose buyer is known, or of an event. */
export const contactUrl = (deps: Pick<Deps, 'appSecret' | 'publicUrl'>, about: OrderRef | string): string =>
  `${deps.publicUrl}/contact/${typeof about === 'string' ? about : orderToken(deps, about)}`;

export const orderToken = ({ appSecret }: Pick<Deps, 'appSecret'>, order: OrderRef): string =>
  signOrder(appSecret, PURPOSE, order);

export const orderOfToken = ({ appSecret }: Pick<Deps, 'appSecret'>, token: string): OrderRef | null =>
  signedOrder(appSecret, PURPOSE, token);

const SIGNED_ORDER = /^([\w-]{16})\.([0-9a-f-]{36})\.([\w-]{43})$/;

const bodyOf = ({ eventId, orderId }: OrderRef) => `${eventId}.${orderId}`;

export const signOrder = (appSecret: AppSecret, purpose: string, order: OrderRef): string =>
  `${bodyOf(order)}.${sign(appSecret, purpose, bodyOf(order))}`;

export function signedOrder(appSecret: AppSecret, purpose: string, text: string): OrderRef | null {
  const [, eventId = '', orderId = '', signature = ''] = SIGNED_ORDER.exec(text) ?? [];
  const order = { eventId, orderId };
  return isSigned(appSecret, purpose, bodyOf(order), signature) ? order : null;
}
