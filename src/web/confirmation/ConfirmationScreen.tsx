import { useEffect, useLayoutEffect } from 'react';
import { useSearchParams } from 'react-router';
import { openCheckout, settleCheckout } from '#web/buyer-memory.ts';
import { Button, ButtonLink } from '#web/ui/Button.tsx';
import { Page } from '#web/ui/Page.tsx';
import text from '#web/ui/text.module.css';
import { ConfirmedOrder } from './ConfirmedOrder.tsx';
import styles from './confirmation.module.css';
import { dropOutdated, savedOnDevice } from './saved-tickets.ts';
import { type ConfirmationState, confirmationFailed, useConfirmation } from './use-confirmation.ts';

export function ConfirmationScreen() {
  const [query] = useSearchParams();
  const sessionId = query.get('session_id');
  useEffect(() => void dropOutdated(new Date()), []);
  if (!sessionId) return <Page title="No session ID provided">{null}</Page>;
  return <OrderOfSession key={sessionId} sessionId={sessionId} />;
}

function OrderOfSession({ sessionId }: { sessionId: string }) {
  const { state, askAgain } = useConfirmation(sessionId);
  const status = state.is === 'answered' ? state.confirmation.status : null;
  // Before the tickets show: whoever sees them and goes straight back to the event finds an empty cart.
  useLayoutEffect(() => {
    if (status === 'confirmed') settleCheckout(sessionId);
  }, [status, sessionId]);

  return (
    <>
      {/* One region for every state, or a screen reader misses the change from one to the next. */}
      <p className={text.srOnly} role="status">
        {spoken(state)}
      </p>
      <OrderState sessionId={sessionId} state={state} onAskAgain={askAgain} />
    </>
  );
}

interface OrderStateProps {
  sessionId: string;
  state: ConfirmationState;
  onAskAgain: () => void;
}

function OrderState({ sessionId, state, onAskAgain }: OrderStateProps) {
  if (state.is === 'loading') return <Waiting heading="Fetching your tickets…" />;
  if (state.is === 'failed') {
    return (
      <Page title={confirmationFailed} lead={state.msg}>
        <div className={styles.actions}>
          <Button onClick={onAskAgain}>Try again</Button>
        </div>
      </Page>
    );
  }
  if (state.is === 'kept') {
    const { confirmation, seenAt } = state.tickets;
    return <ConfirmedOrder sessionId={sessionId} confirmation={confirmation} keptAt={seenAt} onAskAgain={onAskAgain} />;
  }
  if (state.is === 'delayed') {
    return (
      <Page title="Your tickets are on their way" lead="You don't need to pay again. We'll email you.">
        <p>Making them takes longer than usual. This page will show them too, as soon as they are ready.</p>
        <div className={styles.actions}>
          <Button onClick={onAskAgain}>Look again</Button>
        </div>
      </Page>
    );
  }

  switch (state.confirmation.status) {
    case 'confirmed':
      return <ConfirmedOrder sessionId={sessionId} confirmation={state.confirmation} onAskAgain={onAskAgain} />;
    case 'processing':
      return <Waiting heading={makingTickets} lead="This usually takes less than 10 seconds." />;
    case 'unpaid':
      return <Unpaid sessionId={sessionId} onAskAgain={onAskAgain} />;
    case 'expired':
      return (
        <Page title="This checkout has expired" lead="You were not charged. The tickets have been released.">
          <div className={styles.actions}>
            <BackToEvent sessionId={sessionId} />
          </div>
        </Page>
      );
    case 'in-review':
      return (
        <Page title="Your payment is being checked" lead="You don't need to pay again. Your tickets stay reserved.">
          <p>
            What was paid is not what was ordered, so a person is looking at it. Whatever comes of it, you pay for
            nothing that you do not get.
          </p>
          <div className={styles.actions}>
            <Button onClick={onAskAgain}>Look again</Button>
          </div>
        </Page>
      );
    case 'refunded':
      return (
        <Page title="This order has been refunded" lead="The money is on its way back to the card it came from.">
          <p>The tickets of this order no longer open the door.</p>
        </Page>
      );
  }
}

const makingTickets = 'Payment received, making your tickets…';

function spoken(state: ConfirmationState): string {
  if (state.is === 'kept') return `No connection. ${savedOnDevice}.`;
  if (state.is !== 'answered') return '';
  if (state.confirmation.status === 'processing') return makingTickets;
  return state.confirmation.status === 'confirmed' ? 'Your tickets are ready.' : '';
}

function Waiting({ heading, lead }: { heading: string; lead?: string }) {
  return (
    <Page title={heading} lead={lead}>
      <div className={styles.waiting}>
        <span className={styles.stubOutline} aria-hidden="true" />
        <p>Please keep this page open.</p>
      </div>
    </Page>
  );
}

function Unpaid({ sessionId, onAskAgain }: { sessionId: string; onAskAgain: () => void }) {
  const opened = openCheckout(sessionId);
  return (
    <Page
      title="This order is not paid yet"
      lead="Nothing has been charged. Your tickets are held while the checkout is open."
    >
      <div className={styles.actions}>
        {opened && (
          <ButtonLink kind="gold" href={opened.url}>
            Back to checkout
          </ButtonLink>
        )}
        <Button kind="ghost" onClick={onAskAgain}>
          I have paid, look again
        </Button>
        <BackToEvent sessionId={sessionId} />
      </div>
    </Page>
  );
}

/** Only the tab that opened the checkout knows its event: until tickets exist, the link alone tells nobody. */
function BackToEvent({ sessionId }: { sessionId: string }) {
  const opened = openCheckout(sessionId);
  return opened ? (
    <ButtonLink kind="ghost" to={`/payment/${opened.eventId}`}>
      Back to the event
    </ButtonLink>
  ) : null;
}

export { ConfirmationScreen as Component };
