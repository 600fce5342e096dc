import type { Deps } from '#server/platform/deps.ts';

/** A page of Stripe's dashboard, such as `payments/pi_1`. */
export const stripeUrl = ({ takesRealMoney }: Pick<Deps, 'takesRealMoney'>, page: string) =>
  `https://dashboard.stripe.com/${takesRealMoney ? '' : 'test/'}${page}`;
