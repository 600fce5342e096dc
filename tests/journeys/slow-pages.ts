/** For sales that are faster than the card company: a product that opens few payment pages a second. */
import type { Place } from '#tests/support/people.ts';
import { placeOf } from '#tests/support/place-of.ts';
import type { Product } from '#tests/support/product.ts';
import { test as journey, ownProduct } from './journey.ts';

export const withSlowPages = (secondsAPage: number) =>
  journey.extend<{ place: Place }, { product: Product }>({
    product: ownProduct({ PAGES_PER_SECOND: String(1 / secondsAPage), RATE_LIMIT_SCALE: '0' }),
    place: async ({ product }, use) => use(placeOf(product)),
  });
