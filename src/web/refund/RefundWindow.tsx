import type { RefundPage } from '#contract/rendered-page.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { formatMoment } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';

/** The refund deadline in the event's time zone. */
export function RefundWindow({ page }: { page: RefundPage | null }) {
  if (!page) {
    return (
      <p>
        A ticket can be refunded until {SETTLEMENT_HOLD_HOURS} hours after the event ends, unless it was scanned at the
        door.
      </p>
    );
  }
  if (page.isCancelled) {
    return (
      <Banner title="This event was cancelled">
        You don't need to do anything. We refund every ticket automatically. Check yours below.
      </Banner>
    );
  }
  const closesAt = <time dateTime={page.closesAt}>{formatMoment(page.closesAt, page.timezone)}</time>;
  if (page.isClosed)
    return (
      <Banner kind="warning" title="Refunds are closed">
        They closed {closesAt}.
      </Banner>
    );
  return (
    <p>
      Refunds are open until <strong>{closesAt}</strong>. A ticket that was scanned at the door can't be refunded.
    </p>
  );
}
