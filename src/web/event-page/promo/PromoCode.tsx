import type { PublicEvent } from '#contract/app/events.ts';
import { checkoutNotLoaded } from '#messages/pages.ts';
import { havePromoCode } from '#messages/sales/event-page.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import type { CartLine } from '../cart/cart.ts';
import type { BuyerPromo } from './buyer-promo.ts';
import type { usePromoCode } from './use-promo-code.ts';

interface PromoCodeProps extends Pick<ReturnType<typeof usePromoCode>, 'part' | 'open'> {
  promo: BuyerPromo;
  event: PublicEvent;
  lines: readonly CartLine[];
  totalCents: number;
}

/** Closed until the buyer asks for it, unless a link brings a code. */
export function PromoCode({ part, open, ...props }: PromoCodeProps) {
  if (part) return <part.PromoField {...props} />;
  if (!props.event.hasPromoCodes) return null;
  return (
    <Button kind="ghost" onClick={() => open().catch(() => toast.error(checkoutNotLoaded))}>
      {havePromoCode}
    </Button>
  );
}
