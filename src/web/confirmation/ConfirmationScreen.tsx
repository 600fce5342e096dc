import { useEffect, useLayoutEffect } from 'react';
import { useSearchParams } from 'react-router';
import { openCheckout, settleCheckout } from '#web/buyer-storage.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import text from '#web/ui/styles/text.module.css';
import { ConfirmedOrder } from './ConfirmedOrder.tsx';
import styles from './confirmation.module.css';
import { removeExpiredTickets, savedOnThisDevice } from './saved-tickets.ts';
import { type ConfirmationState, confirmationFailed, useConfirmation } from './use-confirmation.ts';

export function ConfirmationScreen() {
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  useEffect(() => void removeExpiredTickets(new Date()), []);
  if (!sessionId) return <Page title="No session ID provided">{null}</Page>;
  return <OrderOfSession key={sessionId} sessionId={sessionId} />;
}

function OrderOfSession({ sessionId }: { sessionId: string }) {
  const { state, retry } = useConfirmation(sessionId);
  const status = state.kind === 'answered' ? state.confirmation.status : null;
  // A layout effect, so that the cart is empty before the buyer can go back to the event.
  useLayoutEffect(() => {
    if (status === 'confirmed') settleCheckout(sessionId);
  }, [status, sessionId]);

  return (
    <>
      {/* One live region for all states, so that screen readers announce the changes. */}
      <p className={text.srOnly} role="status">
        {statusMessage(state)}
      </p>
      <OrderState sessionId={sessionId} state={state} onRetry={retry} />
    </>
  );
}

interface OrderStateProps {
  sessionId: string;
  state: ConfirmationState;
  onRetry: () => void;
}

function OrderState({ sessionId, state, onRetry }: OrderStateProps) {
  if (state.kind === 'loading') return <WaitingForTickets heading="Getting your tickets…" />;
  if (state.kind === 'failed') {
    return (
      <Page title={confirmationFailed} lead={state.msg}>
        <div className={styles.actions}>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      </Page>
    );
  }
  if (state.kind === 'saved') {
    const { confirmation, seenAt } = state.tickets;
    return <ConfirmedOrder sessionId={sessionId} confirmation={confirmation} savedAt={seenAt} onRetry={onRetry} />;
  }
  if (state.kind === 'delayed') {
    return (
      <Page title="Your tickets are on their way" lead="You don't need to pay again. We'll email you.">
        <p>This is taking longer than usual. Your tickets will show up here, too.</p>
        <div className={styles.actions}>
          <Button onClick={onRetry}>Check again</Button>
        </div>
      </Page>
    );
  }

  switch (state.confirmation.status) {
    case 'confirmed':
      return <ConfirmedOrder sessionId={sessionId} confirmation={state.confirmation} onRetry={onRetry} />;
    case 'processing':
      return <WaitingForTickets heading={makingTickets} lead="This usually takes less than 10 seconds." />;
    case 'unpaid':
      return <Unpaid sessionId={sessionId} onRetry={onRetry} />;
    case 'expired':
      return (
        <Page title="This checkout has expired" lead="You weren't charged, and the tickets were released.">
          <div className={styles.actions}>
            <BackToEvent sessionId={sessionId} />
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
            <Button onClick={onRetry}>Check again</Button>
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

function statusMessage(state: ConfirmationState): string {
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

function Unpaid({ sessionId, onRetry }: { sessionId: string; onRetry: () => void }) {
  const checkout = openCheckout(sessionId);
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
        <Button kind="ghost" onClick={onRetry}>
          I've paid, check again
        </Button>
        <BackToEvent sessionId={sessionId} />
      </div>
    </Page>
  );
}

/** Only the tab that opened the checkout knows the event: until tickets exist, the link does not reveal it. */
function BackToEvent({ sessionId }: { sessionId: string }) {
  const checkout = openCheckout(sessionId);
  return checkout ? (
    <ButtonLink kind="ghost" to={`/payment/${checkout.eventId}`}>
      Back to the event
    </ButtonLink>
  ) : null;
}

export { ConfirmationScreen as Component };
