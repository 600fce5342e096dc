import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Confirmation } from '#contract/app/checkout.ts';
import { ticketPosition } from '#messages/format.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { IconButton } from '#web/ui/button/IconButton.tsx';
import { modalHost, useModal } from '#web/ui/dialog/use-modal.ts';
import { useWakeLock } from '#web/ui/page/use-wake-lock.ts';
import { QrCode } from '#web/ui/ticket/QrCode.tsx';
import styles from './TicketFullScreen.module.css';

interface TicketFullScreenProps {
  tickets: Confirmation['confirmationData'];
  first: number;
  onClose: () => void;
}

/** Shows a ticket at the door: white, as large as possible, with the screen kept awake. */
export function TicketFullScreen(props: TicketFullScreenProps) {
  return createPortal(<FullScreen {...props} />, modalHost());
}

function FullScreen({ tickets, first, onClose }: TicketFullScreenProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const track = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(first);
  const current = tickets[shown];
  useModal(panel, onClose);
  useWakeLock(true);

  function show(index: number) {
    track.current?.scrollTo({ left: index * track.current.clientWidth });
  }

  useEffect(() => {
    track.current?.scrollTo({ left: first * track.current.clientWidth, behavior: 'instant' });
  }, [first]);

  return (
    <dialog open ref={panel} className={styles.screen} aria-label="Ticket for the door" tabIndex={-1}>
      <header className={styles.head}>
        <p aria-live="polite">{current && ticketPosition(current)}</p>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div
        ref={track}
        className={styles.track}
        role="group"
        aria-label="Tickets of this order"
        tabIndex={0}
        onScroll={({ currentTarget }) => setShown(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
      >
        {tickets.map((ticket, index) => (
          <div key={ticket.confirmationNumber} className={styles.ticket} inert={index !== shown}>
            <h2>{ticket.ticketName}</h2>
            <QrCode value={ticket.confirmationNumber} size={640} />
            <p className={styles.number}>{ticket.confirmationNumber}</p>
          </div>
        ))}
      </div>
      {tickets.length > 1 && (
        <footer className={styles.foot}>
          <Button kind="ghost" aria-disabled={shown === 0 || undefined} onClick={() => show(Math.max(0, shown - 1))}>
            Previous ticket
          </Button>
          <Button
            kind="ghost"
            aria-disabled={shown === tickets.length - 1 || undefined}
            onClick={() => show(Math.min(tickets.length - 1, shown + 1))}
          >
            Next ticket
          </Button>
        </footer>
      )}
    </dialog>
  );
}
