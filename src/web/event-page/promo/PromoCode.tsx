import { checkoutNotLoaded } from '#messages/pages.ts';
import { havePromoCode } from '#messages/sales/event-page.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import type { BuyerPromo } from './use-promo-code.ts';

/** Closed until the buyer asks for it, unless a link brings a code. */
export function PromoCode({ promo, isOffered, eventId }: { promo: BuyerPromo; isOffered: boolean; eventId: string }) {
  if (promo.part) return <promo.part.PromoField promo={promo} eventId={eventId} />;
  if (!isOffered) return null;
  return (
    <Button kind="ghost" onClick={() => promo.open().catch(() => toast.error(checkoutNotLoaded))}>
      {havePromoCode}
    </Button>
  );
}
