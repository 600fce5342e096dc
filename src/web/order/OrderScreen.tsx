import { useEffect, useLayoutEffect, useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { OrderAddress } from '#contract/app/checkout.ts';
import type { PageProps } from '#contract/rendered-page.ts';
import { lostTickets } from '#messages/contacts.ts';
import { orderPage as words } from '#messages/sales/order-page.ts';
import { openCheckout, settleCheckout } from '#web/buyer-storage.ts';
import { usePageProps } from '#web/page-props-context.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import text from '#web/ui/styles/text.module.css';
import styles from './order.module.css';
import { addressOfPage, pathOf } from './order-address.ts';
import type { OrderState } from './order-calls.ts';
import { PaidOrder } from './PaidOrder.tsx';
import { savedOnThisDevice } from './SavedTicketsNote.tsx';
import { loadOrderCalls, useOrder } from './use-order.ts';

/** Rendered by the server once the order is paid, so that its tickets show before any script. */
export function OrderScreen() {
  const { token, ticket } = useParams();
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  const address = useMemo(() => addressAt({ token, ticket, sessionId }), [token, ticket, sessionId]);
  useEffect(() => {
    loadOrderCalls().then(
      ({ removeExpiredTickets }) => removeExpiredTickets(new Date()),
      () => {},
    );
  }, []);
  if (!address) return <Page title={words.noSession}>{null}</Page>;
  return <OrderAt key={pathOf(address)} address={address} />;
}

interface OrderParams {
  token: string | undefined;
  ticket: string | undefined;
  sessionId: string | null;
}

function addressAt({ token, ticket, sessionId }: OrderParams): OrderAddress | null {
  if (token !== undefined) return { token };
  if (ticket !== undefined) return { ticket };
  return sessionId ? { sessionId } : null;
}

function OrderAt({ address }: { address: OrderAddress }) {
  const { order: rendered } = usePageProps();
  const { state, read } = useOrder(address, rendered && isAbout(rendered, address) ? rendered.reply : null);
  const status = state.kind === 'answered' ? state.confirmation.status : null;
  const details = state.kind === 'answered' ? state.confirmation.details : undefined;
  const path = details && pathOf(addressOfPage(details));
  // From now on at the address that the emails have: it opens offline, too.
  useEffect(() => {
    if (path !== undefined) history.replaceState(history.state, '', path);
  }, [path]);
  const sessionId = 'sessionId' in address ? address.sessionId : null;
  // A layout effect, so that the cart is empty before the buyer can go back to the event.
  useLayoutEffect(() => {
    if (status === 'confirmed' && sessionId !== null) settleCheckout(sessionId);
  }, [status, sessionId]);

  return (
    <>
      {/* One live region for all states, so that screen readers announce the changes. */}
      <p className={text.srOnly} role="status">
        {statusMessage(state)}
      </p>
      <OrderInState address={address} state={state} onRead={read} />
    </>
  );
}

type Rendered = NonNullable<PageProps['order']>;

/** Its address may have changed since. */
const isAbout = ({ at, reply }: Rendered, address: OrderAddress): boolean =>
  pathOf(at) === pathOf(address) ||
  (reply.details !== undefined && pathOf(addressOfPage(reply.details)) === pathOf(address));

interface OrderStateProps {
  address: OrderAddress;
  state: OrderState;
  onRead: () => void;
}

function OrderInState({ address, state, onRead }: OrderStateProps) {
  if (state.kind === 'loading') return <WaitingForTickets heading={words.loading} />;
  if (state.kind === 'failed') {
    return (
      <Page title={words.failed} lead={state.msg}>
        <div className={styles.actions}>
          <Button onClick={onRead}>{words.retry}</Button>
          <ButtonLink kind="ghost" to="/find-tickets">
            {lostTickets}
          </ButtonLink>
        </div>
      </Page>
    );
  }
  if (state.kind === 'saved') {
    const { confirmation, seenAt } = state.tickets;
    return <PaidOrder address={address} confirmation={confirmation} savedAt={seenAt} onRead={onRead} />;
  }
  if (state.kind === 'delayed') {
    return (
      <Page title={words.delayed} lead={words.delayedLead}>
        <p>{words.delayedText}</p>
        <div className={styles.actions}>
          <Button onClick={onRead}>{words.checkAgain}</Button>
        </div>
      </Page>
    );
  }

  const { confirmation } = state;
  if (confirmation.order) return <PaidOrder address={address} confirmation={confirmation} onRead={onRead} />;
  switch (confirmation.status) {
    case 'confirmed':
    case 'processing':
      return <WaitingForTickets heading={words.printing} lead={words.printingLead} />;
    case 'unpaid':
      return <Unpaid address={address} onRead={onRead} />;
    case 'expired':
      return (
        <Page title={words.expired} lead={words.expiredLead}>
          <div className={styles.actions}>
            <BackToEvent address={address} />
          </div>
        </Page>
      );
    case 'in-review':
      return (
        <Page title={words.inReview} lead={words.inReviewLead}>
          <p>{words.inReviewText}</p>
          <div className={styles.actions}>
            <Button onClick={onRead}>{words.checkAgain}</Button>
          </div>
        </Page>
      );
    case 'refunded':
      return (
        <Page title={words.refunded} lead={words.refundedLead}>
          <p>{words.nothingPaid}</p>
        </Page>
      );
  }
}

function statusMessage(state: OrderState): string {
  if (state.kind === 'saved') return words.offline(savedOnThisDevice);
  if (state.kind !== 'answered') return '';
  if (state.confirmation.status === 'processing') return words.printing;
  const { status, details } = state.confirmation;
  return status === 'confirmed' && !details?.isCancelled ? words.ready : '';
}

function WaitingForTickets({ heading, lead }: { heading: string; lead?: string }) {
  return (
    <Page title={heading} lead={lead}>
      <div className={styles.loading}>
        <span className={styles.stubOutline} aria-hidden="true" />
        <p>{words.keepOpen}</p>
      </div>
    </Page>
  );
}

function Unpaid({ address, onRead }: { address: OrderAddress; onRead: () => void }) {
  const checkout = checkoutAt(address);
  return (
    <Page title={words.unpaid} lead={words.unpaidLead}>
      <div className={styles.actions}>
        {checkout && (
          <ButtonLink kind="gold" href={checkout.url}>
            {words.toCheckout}
          </ButtonLink>
        )}
        <Button kind="ghost" onClick={onRead}>
          {words.havePaid}
        </Button>
        <BackToEvent address={address} />
      </div>
    </Page>
  );
}

/** Only the tab that opened the checkout knows the event: until tickets exist, the link does not reveal it. */
function BackToEvent({ address }: { address: OrderAddress }) {
  const checkout = checkoutAt(address);
  return checkout ? (
    <ButtonLink kind="ghost" to={`/payment/${checkout.eventId}`}>
      {words.toEvent}
    </ButtonLink>
  ) : null;
}

const checkoutAt = (address: OrderAddress) => ('sessionId' in address ? openCheckout(address.sessionId) : null);

export { OrderScreen as Component };
