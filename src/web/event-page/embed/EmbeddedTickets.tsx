/**
 * The tickets of an event in a frame on another website: a list and a cart. Nothing in it spends money or changes anything. Its
 * links open in the top window (`<base>` in embed.html), because no other page can be framed.
 */
import { useEffect, useRef } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { formatCents, plural, TICKETS } from '#messages/format.ts';
import { embeddedTickets as text } from '#messages/programs/embed.ts';
import { paidSalesPaused } from '#messages/sales/event-page.ts';
import { buttonClasses } from '#web/ui/button/Button.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { useHydrated } from '#web/ui/page/use-hydrated.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import hidden from '#web/ui/styles/text.module.css';
import { CartLines } from '../cart/CartPanel.tsx';
import cartStyles from '../cart/cart.module.css';
import { lineCents, ticketCount } from '../cart/cart.ts';
import { TicketList } from '../TicketList.tsx';
import { addressOfCart } from './cart-address.ts';
import styles from './embed.module.css';
import { closedSale } from './sale-state.ts';
import { type EventReply, useFrameHeight, useFreshEvent } from './use-frame.ts';
import { useFrameCart } from './use-frame-cart.ts';

export function EmbeddedTickets({ eventId, reply: first }: { eventId: string; reply: EventReply }) {
  const content = useRef<HTMLElement>(null);
  const reply = useFreshEvent(eventId, first);
  const title = 'msg' in reply ? reply.msg : reply.title;
  useFrameHeight(content, title);
  // To shell/before-paint.js, which loads again what was lost.
  useEffect(() => void window.dispatchEvent(new Event('handstamp:ready')), []);
  const query = useFromQuery();
  const eventPage = `/payment/${eventId}${query}`;
  const closed = 'msg' in reply ? null : closedSale(reply, new Date());

  return (
    <main ref={content} className={styles.embed}>
      {'look' in reply && reply.look && <link rel="stylesheet" href={`/look/${reply.look}.css`} />}
      <header className={styles.head}>
        <h1>{title}</h1>
        {!('msg' in reply) && (
          <p>
            {reply.subtitle && <span>{reply.subtitle}</span>}
            <time dateTime={reply.startDate_startTime}>{formatShort(reply.startDate_startTime, reply.timezone)}</time>
            <span>
              {reply.venueName ?? reply.street}, {reply.city}
            </span>
          </p>
        )}
      </header>
      {closed && (
        <Banner title={closed.title} role="status">
          {closed.text}
        </Banner>
      )}
      {!('msg' in reply) && !closed && <Sale event={reply} query={query} />}
      <p className={styles.foot}>
        {closed || 'msg' in reply ? (
          <a className={buttonClasses('primary', 'md')} href={eventPage}>
            {text.toEvent}
          </a>
        ) : (
          <a href={eventPage}>{text.details}</a>
        )}
      </p>
    </main>
  );
}

function Sale({ event, query }: { event: PublicEvent; query: string }) {
  const { eventId, pausedSales, pageVersion } = event;
  const cart = useFrameCart(event);
  const { lines } = cart;
  const cents = lines.map(lineCents);
  const totalCents = cents.reduce((sum, one) => sum + one, 0);
  const checkout = (waits: boolean) =>
    `/embed/${eventId}/checkout${query}${addressOfCart({ lines, totalCents, pageVersion, waits })}`;

  return (
    <>
      {pausedSales && <Banner kind="warning">{paidSalesPaused}</Banner>}
      <div className={classNames(styles.sale, lines.length > 0 && styles.withCart)}>
        <TicketList
          tickets={event.tickets}
          event={event}
          startsAt={null}
          onAdd={cart.add}
          onProblem={cart.setProblem}
          cart={lines}
        />
        <div className={styles.order}>
          <div role="alert">{cart.problem !== null && <Banner kind="error">{cart.problem}</Banner>}</div>
          {lines.length > 0 && (
            <section className={cartStyles.cart} aria-labelledby="cart">
              <CartLines event={event} lines={lines} cents={cents} totalCents={totalCents} onChange={cart.change} />
              <div className={styles.actions}>
                <a className={buttonClasses('gold', 'lg')} href={checkout(false)}>
                  {text.checkout}
                </a>
                {event.hasPromoCodes && (
                  <a className={buttonClasses('ghost', 'md')} href={checkout(true)}>
                    {text.promoCode}
                  </a>
                )}
              </div>
            </section>
          )}
          {/* Mounted while empty, so that screen readers announce every change. */}
          <p className={hidden.srOnly} role="status">
            {lines.length > 0 && `${plural(ticketCount(lines), TICKETS)} in your cart, ${formatCents(totalCents)}`}
          </p>
        </div>
      </div>
    </>
  );
}

/** `?from=`, which the website passed on. Not part of the page that the server renders for all. */
function useFromQuery(): string {
  if (!useHydrated()) return '';
  const from = new URLSearchParams(window.location.search).get('from');
  return from === null ? '' : `?${new URLSearchParams({ from }).toString()}`;
}
