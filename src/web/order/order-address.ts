/** Where an order's page is: `/order/{token}`, or `/success?session_id=` after paying. */
import type { OrderAddress } from '#contract/app/checkout.ts';

export const pathOf = (address: OrderAddress): string =>
  'token' in address
    ? `/order/${address.token}`
    : `/success?${new URLSearchParams({ session_id: address.sessionId }).toString()}`;
