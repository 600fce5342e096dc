import { useEffect, useLayoutEffect, useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { OrderAddress } from '#contract/app/checkout.ts';
import { openCheckout, settleCheckout } from '#web/buyer-storage.ts';
import { usePageProps } from '#web/page-props-context.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import text from '#web/ui/styles/text.module.css';
import styles from './order.module.css';
import { pathOf } from './order-address.ts';
import type { OrderState } from './order-calls.ts';
import { PaidOrder } from './PaidOrder.tsx';
import { savedOnThisDevice } from './SavedTicketsNote.tsx';
import { confirmationFailed, loadOrderCalls, useOrder } from './use-order.ts';

/** Rendered by the server once the order is paid, so that its tickets show before any script. */
export function OrderScreen() {
  const { token } = useParams();
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  const address = useMemo(
    () => (token !== undefined ? { token } : sessionId ? { sessionId } : null),
    [token, sessionId],
  );
  useEffect(() => {
    loadOrderCalls().then(
      ({ removeExpiredTickets }) => removeExpiredTickets(new Date()),
      () => {},
    );
  }, []);
  if (!address) return <Page title="No session ID provided">{null}</Page>;
  return <OrderAt key={pathOf(address)} address={address} />;
}

function OrderAt({ address }: { address: OrderAddress }) {
  const { order: rendered } = usePageProps();
  const { state, read } = useOrder(
    address,
    rendered && pathOf(rendered.at) === pathOf(address) ? rendered.reply : null,
  );
  const status = state.kind === 'answered' ? state.confirmation.status : null;
  const token = state.kind === 'answered' ? state.confirmation.details?.token : undefined;
  // From now on at the address that the emails have: it opens offline, too.
  useEffect(() => {
    if (token !== undefined) history.replaceState(history.state, '', pathOf({ token }));
  }, [token]);
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
      <OrderState address={address} state={state} onRead={read} />
    </>
  );
}

interface OrderStateProps {
  address: OrderAddress;
  state: OrderState;
  onRead: () => void;
}

function OrderState({ address, state, onRead }: OrderStateProps) {
  if (state.kind === 'loading') return <WaitingForTickets heading="Getting your tickets…" />;
  if (state.kind === 'failed') {
    return (
      <Page title={confirmationFailed} lead={state.msg}>
        <div className={styles.actions}>
          <Button onClick={onRead}>Try again</Button>
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
      <Page title="Your tickets are on their way" lead="You don't need to pay again. We'll email you.">
        <p>This is taking longer than usual. Your tickets will show up here, too.</p>
        <div className={styles.actions}>
          <Button onClick={onRead}>Check again</Button>
        </div>
      </Page>
    );
  }

  const { confirmation } = state;
  if (confirmation.order) return <PaidOrder address={address} confirmation={confirmation} onRead={onRead} />;
  switch (confirmation.status) {
    case 'confirmed':
    case 'processing':
      return <WaitingForTickets heading={makingTickets} lead="This usually takes less than 10 seconds." />;
    case 'unpaid':
      return <Unpaid address={address} onRead={onRead} />;
    case 'expired':
      return (
        <Page title="This checkout has expired" lead="You weren't charged, and the tickets were released.">
          <div className={styles.actions}>
            <BackToEvent address={address} />
          </div>
        </Page>
      );
    case 'in-review':
      return (
        <Page
          title="We're reviewing your payment"
          lead="You don't need to pay again. We're still holding your tickets."
        >
          <p>
            The amount paid doesn't match your order, so our team is on it. Either way, you won't pay for tickets you
            don't get.
          </p>
          <div className={styles.actions}>
            <Button onClick={onRead}>Check again</Button>
          </div>
        </Page>
      );
    case 'refunded':
      return (
        <Page title="This order has been refunded" lead="The money is on its way back to your card.">
          <p>These tickets no longer work.</p>
        </Page>
      );
  }
}

const makingTickets = 'Payment received. Printing your tickets…';

function statusMessage(state: OrderState): string {
  if (state.kind === 'saved') return `No connection. ${savedOnThisDevice}.`;
  if (state.kind !== 'answered') return '';
  if (state.confirmation.status === 'processing') return makingTickets;
  return state.confirmation.status === 'confirmed' ? 'Your tickets are ready.' : '';
}

function WaitingForTickets({ heading, lead }: { heading: string; lead?: string }) {
  return (
    <Page title={heading} lead={lead}>
      <div className={styles.loading}>
        <span className={styles.stubOutline} aria-hidden="true" />
        <p>Please keep this page open.</p>
      </div>
    </Page>
  );
}

function Unpaid({ address, onRead }: { address: OrderAddress; onRead: () => void }) {
  const checkout = checkoutAt(address);
  return (
    <Page
      title="This order isn't paid yet"
      lead="You haven't been charged. We're holding your tickets while the checkout is open."
    >
      <div className={styles.actions}>
        {checkout && (
          <ButtonLink kind="gold" href={checkout.url}>
            Back to checkout
          </ButtonLink>
        )}
        <Button kind="ghost" onClick={onRead}>
          I've paid, check again
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
      Back to the event
    </ButtonLink>
  ) : null;
}

const checkoutAt = (address: OrderAddress) => ('sessionId' in address ? openCheckout(address.sessionId) : null);

export { OrderScreen as Component };
