import type { Quote } from '#contract/app/checkout.ts';
import type { AppliedPromoCode } from '#contract/app/sales/promo-codes.ts';

export interface BuyerPromo {
  /** To begin with: of a link, or of the cart. */
  known: string | null;
  applied: AppliedPromoCode | null;
  apply: (code: AppliedPromoCode | null) => void;
  /** Whatever came of the code to begin with. */
  settle: () => void;
  /** Why the last order was not accepted. */
  quote: Quote | null;
}
