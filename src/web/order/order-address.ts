/**
 * Where an order's page is: `/order/{token}`, or `/success?session_id=` after paying. That of a transferred ticket is
 * `/ticket/{token}`.
 */
import type { OrderAddress, OrderDetails } from '#contract/app/checkout.ts';

export function pathOf(address: OrderAddress): string {
  if ('token' in address) return `/order/${address.token}`;
  if ('ticket' in address) return `/ticket/${address.ticket}`;
  return `/success?${new URLSearchParams({ session_id: address.sessionId }).toString()}`;
}

/** The address that its emails have. */
export const addressOfPage = ({ token, isHolder }: OrderDetails): OrderAddress =>
  isHolder ? { ticket: token } : { token };
