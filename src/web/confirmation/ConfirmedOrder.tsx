import { useState } from 'react';
import { type Confirmation } from '#contract/app/checkout.ts';
import { ticketPosition } from '#messages/format.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { CopyButton } from '#web/ui/button/CopyButton.tsx';
import { formatShort } from '#web/ui/data/format.ts';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { TicketPass } from '#web/ui/ticket/TicketPass.tsx';
import styles from './confirmation.module.css';
import { SavedTicketsNote } from './SavedTicketsNote.tsx';
import { TicketFullScreen } from './TicketFullScreen.tsx';

interface ConfirmedOrderProps {
  sessionId: string;
  confirmation: Confirmation;
  /** When the data was saved, if it comes from this device. */
  savedAt?: Date;
  onRetry: () => void;
}

export function ConfirmedOrder({ sessionId, confirmation, savedAt, onRetry }: ConfirmedOrderProps) {
  const { order, confirmationData: tickets } = confirmation;
  const [shown, setShown] = useState<number | null>(null);

  return (
    <Page
      title="Your tickets"
      heading={tickets.every(({ isAddOn }) => isAddOn) ? 'Thank you.' : "You're in."}
      lead={order ? `Sent to ${order.email}` : undefined}
      actions={
        <Button kind="ghost" onClick={() => window.print()}>
          <Icon name="printer" />
          Print
        </Button>
      }
      className={styles.confirmed}
    >
      {savedAt && order && (
        <Banner
          kind="warning"
          className={styles.note}
          title="No connection"
          action={
            <Button kind="ghost" onClick={onRetry}>
              Try again
            </Button>
          }
        >
          Your tickets as of {formatShort(savedAt, order.timezone)}. Any refunded since then won't scan.
        </Banner>
      )}
      <ul className={styles.passes}>
        {tickets.map((ticket, index) => (
          <li key={ticket.confirmationNumber}>
            <TicketPass
              eventId={order?.eventId ?? ''}
              title={order?.title ?? ''}
              when={order && formatShort(order.startDate_startTime, order.timezone)}
              venue={order?.city}
              ticketName={ticket.ticketName}
              position={ticketPosition(ticket)}
              confirmationNumber={ticket.confirmationNumber}
            >
              <div className={styles.passActions}>
                <Button kind="ghost" onClick={() => setShown(index)}>
                  Show at the door
                </Button>
                <CopyButton
                  text={ticket.confirmationNumber}
                  label={`Copy confirmation number ${ticket.confirmationNumber}`}
                  copied="Confirmation number copied"
                />
              </div>
            </TicketPass>
          </li>
        ))}
      </ul>
      <SavedTicketsNote sessionId={sessionId} confirmation={confirmation} isFresh={savedAt === undefined} />
      {order && (
        <ButtonLink kind="ghost" to={`/payment/${order.eventId}`} className={styles.screenOnly}>
          Event page
        </ButtonLink>
      )}
      {shown !== null && <TicketFullScreen tickets={tickets} first={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}
