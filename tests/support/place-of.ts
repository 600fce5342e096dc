import { Visitor } from './http-visitor.ts';
import type { Place } from './people.ts';
import type { Product } from './product.ts';

/** The started product as a place for people. Its queue is its own affair, so settling is waiting a moment. */
export function placeOf(product: Product): Place {
  return {
    publicUrl: product.url,
    visitor: (options) => new Visitor(product.url, options),
    call: (endpoint, input) => new Visitor(product.url).call(endpoint, input),
    now: () => new Date(),
    settle: () => new Promise((resolve) => setTimeout(resolve, 500)),
  };
}
