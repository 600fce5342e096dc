import { useState } from 'react';
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { reservationEnded } from '#messages/checkout.ts';
import { formatCents, plural, TICKETS } from '#messages/format.ts';
import { applyingCode, paidSalesPaused, salesPaused, salesPausedAdvice } from '#messages/sales/event-page.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatMoment } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { usePageTitle } from '#web/ui/page/page-title.ts';
import text from '#web/ui/styles/text.module.css';
import { useLoaded } from '#web/use-loaded.ts';
import { AboutEvent } from './AboutEvent.tsx';
import { CartBar } from './cart/CartBar.tsx';
import { CartPanel } from './cart/CartPanel.tsx';
import { lineCents, ticketCount } from './cart/cart.ts';
import { useCart } from './cart/use-cart.ts';
import { ReservedTickets } from './checkout/ReservedTickets.tsx';
import { useCheckout } from './checkout/use-checkout.ts';
import { useOpenCheckouts, withOwnTickets } from './checkout/use-open-checkouts.ts';
import { DateAndVenue } from './DateAndVenue.tsx';
import styles from './event-page.module.css';
import { OnSale } from './on-sale/OnSale.tsx';
import { useSaleGate } from './on-sale/use-sale-gate.ts';
import { EventImage } from './photos/EventImage.tsx';
import { PromoCode } from './promo/PromoCode.tsx';
import { usePromoCode } from './promo/use-promo-code.ts';
import { shareEvent } from './share-event.ts';
import { TicketList } from './TicketList.tsx';
import { useSalesWindows } from './use-sales-windows.ts';

const NONE: readonly TicketType[] = [];
const loadOpenCheckouts = () => loadCode(() => import('./checkout/OpenCheckouts.tsx'));

export function PublicEventPage({ event, onStale }: { event: PublicEvent; onStale: () => void }) {
  const { eventId } = event;
  const [returnCount, setReturnCount] = useState(0);
  const { checkouts, hasEnded, refresh } = useOpenCheckouts(eventId, returnCount, onStale);
  const openPart = useLoaded(checkouts.length > 0, loadOpenCheckouts);
  const own = checkouts.filter((checkout) => checkout.eventId === eventId);
  const { promo, ...pricing } = usePromoCode(eventId);
  const tickets = withOwnTickets(pricing.ticketsWith(event.tickets), own);
  const cart = useCart({ ...event, tickets });
  const cents = pricing.centsOf(cart.lines) ?? cart.lines.map(lineCents);
  const totalCents = cents.reduce((sum, one) => sum + one, 0);
  useSalesWindows(event.tickets, onStale);
  // Also those that only the code sells.
  useSalesWindows(promo.applied?.tickets ?? NONE, onStale);
  const sale = useSaleGate(event);
  const reload = () => {
    sale.refresh();
    onStale();
  };
  const { hasTooMany, changed, goOn, reservation, release, ...opening } = useCheckout(event, cart.lines, {
    onStale: reload,
    onReturn: () => setReturnCount(returnCount + 1),
    promo: pricing.forCheckout(totalCents),
  });
  const open = hasTooMany ? checkouts : own.filter(({ sessionId }) => sessionId !== null || !reservation);
  // A buyer with a reservation has used their turn, and waits only for the payment page.
  const closedLabel = reservation ? null : sale.closedLabel;
  const checkout = { ...opening, closedLabel: pricing.isPending ? applyingCode : closedLabel };
  usePageTitle(event.title);

  return (
    <article className={styles.event}>
      {event.look && <link rel="stylesheet" href={`/look/${event.look}.css`} />}
      <div className={styles.head}>
        <div className={styles.media}>
          <EventImage event={event} />
        </div>
        <div className={styles.title}>
          <h1 tabIndex={-1}>{event.title}</h1>
          <Button kind="ghost" aria-label="Share" onClick={() => void shareEvent(event.title)}>
            <Icon name="share" />
            <span className={styles.shareWord}>Share</span>
          </Button>
          {event.subtitle && <p className={styles.by}>{event.subtitle}</p>}
          {event.organizationName && (
            <p className={styles.by}>
              by{' '}
              <strong>
                {event.organizerSlug ? (
                  <a href={`/o/${event.organizerSlug}`}>{event.organizationName}</a>
                ) : (
                  event.organizationName
                )}
              </strong>
            </p>
          )}
        </div>
        <DateAndVenue event={event} />
      </div>

      <div className={styles.buy}>
        {event.pausedSales && (
          <Banner kind="warning" title={salesPaused}>
            {event.pausedSales === 'all' ? salesPausedAdvice : paidSalesPaused}
          </Banner>
        )}
        {event.salesStartAt && !reservation && (
          <OnSale event={event} refreshes={sale.refreshes} onGate={sale.setGate} onGone={onStale} />
        )}
        <ReservedTickets reservation={reservation} onRelease={release} />
        {openPart && (
          <openPart.OpenCheckouts
            checkouts={open}
            eventId={eventId}
            onReleased={() => {
              refresh();
              reload();
            }}
          />
        )}
        {changed && <changed.EventChanged changed={changed} onGoOn={goOn} />}
        {hasEnded && cart.lines.length > 0 && <Banner role="status" title={reservationEnded} />}
        <TicketList
          tickets={tickets}
          event={event}
          startsAt={sale.canChoose ? null : formatMoment(event.salesStartAt ?? '', event.timezone)}
          onAdd={cart.add}
          onProblem={toast.error}
          cart={cart.lines}
        />
        <PromoCode
          part={pricing.part}
          open={pricing.open}
          promo={promo}
          event={event}
          lines={cart.lines}
          totalCents={totalCents}
        />
        <CartPanel
          event={event}
          lines={cart.lines}
          cents={cents}
          totalCents={totalCents}
          onChange={cart.change}
          onClear={cart.clear}
          checkout={checkout}
        />
        <CartBar lines={cart.lines} totalCents={totalCents} checkout={checkout} />
        {/* Mounted while empty, so that screen readers announce every change. */}
        <p className={text.srOnly} role="status">
          {cart.lines.length > 0 &&
            `${plural(ticketCount(cart.lines), TICKETS)} in your cart, ${formatCents(totalCents)}`}
        </p>
      </div>

      <AboutEvent event={event} />
    </article>
  );
}
