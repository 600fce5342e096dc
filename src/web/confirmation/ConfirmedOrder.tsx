import { useState } from 'react';
import type { Confirmation } from '#contract/checkout.ts';
import { Button, ButtonLink } from '#web/ui/Button.tsx';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { formatShort } from '#web/ui/format.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { Page } from '#web/ui/Page.tsx';
import { TicketPass } from '#web/ui/TicketPass.tsx';
import styles from './confirmation.module.css';
import { TicketFullScreen } from './TicketFullScreen.tsx';

export function ConfirmedOrder({ confirmation }: { confirmation: Confirmation }) {
  const { order, confirmationData: tickets } = confirmation;
  const [shown, setShown] = useState<number | null>(null);

  return (
    <Page
      title="Your tickets"
      heading="You're in."
      lead={order ? `Sent to ${order.email}` : undefined}
      actions={
        <Button kind="ghost" onClick={() => window.print()}>
          <Icon name="printer" />
          Print
        </Button>
      }
      className={styles.confirmed}
    >
      <ul className={styles.passes}>
        {tickets.map((ticket, index) => (
          <li key={ticket.confirmationNumber}>
            <TicketPass
              eventId={order?.eventId ?? ''}
              title={order?.title ?? ''}
              when={order && formatShort(order.startDate_startTime, order.timezone)}
              place={order?.city}
              ticketName={ticket.ticketName}
              position={`Ticket ${index + 1} of ${tickets.length}`}
              confirmationNumber={ticket.confirmationNumber}
            >
              <div className={styles.passActions}>
                <Button kind="ghost" onClick={() => setShown(index)}>
                  Show full screen
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
      {order && (
        <ButtonLink kind="ghost" to={`/payment/${order.eventId}`} className={styles.screenOnly}>
          Event page
        </ButtonLink>
      )}
      {shown !== null && <TicketFullScreen tickets={tickets} first={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}
