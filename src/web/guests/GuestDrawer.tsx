import { useCallback, useEffect, useId, useState } from 'react';
import { Link, type To } from 'react-router';
import { type GuestDetails, type GuestTable, guestDetails } from '#contract/app/sales/guest-table.ts';
import { formatDollars } from '#messages/format.ts';
import { compMark, transferredMark } from '#messages/guests.ts';
import { guestTablePage, guestDrawer as text } from '#messages/sales/guest-table.ts';
import { call } from '#web/api.ts';
import styles from '#web/shell/workspace/list/Drawer.module.css';
import { Drawer } from '#web/shell/workspace/list/Drawer.tsx';
import { Happenings } from '#web/shell/workspace/list/Happenings.tsx';
import { TicketChip } from '#web/shell/workspace/list/TicketChip.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { GuestActions } from './GuestActions.tsx';

interface GuestDrawerProps {
  eventId: string;
  ticketId: string;
  may: GuestTable['may'];
  addressOf: (ticketId: string) => To;
  onClose: () => void;
  /** The guest was changed. */
  onChanged: () => Promise<void>;
}

/** One guest, over the list. */
function GuestDrawer({ eventId, ticketId, may, addressOf, onClose, onChanged }: GuestDrawerProps) {
  const { guest, failure, reload } = useGuest(eventId, ticketId);

  async function changed() {
    await Promise.all([reload(), onChanged()]);
  }

  return (
    <Drawer
      title={guest ? (guest.name ?? (guest.email || guestTablePage.deleted)) : guestTablePage.name}
      close={text.close}
      onClose={onClose}
    >
      {!guest && !failure && <Skeleton className={styles.loading} />}
      {failure && <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={reload} />}
      {guest && (
        <>
          <p className={styles.chips}>
            <TicketChip ticket={guest} timezone={guest.timezone} />
            {guest.channel !== 'online' && <Chip>{compMark}</Chip>}
            {guest.isTransferred && <Chip>{transferredMark}</Chip>}
          </p>
          <Facts guest={guest} />
          <GuestActions eventId={eventId} guest={guest} may={may} onChanged={changed} />
          {guest.order.length > 1 && <OrderTickets guest={guest} addressOf={addressOf} />}
          <Happenings timeline={guest.timeline} timezone={guest.timezone} />
        </>
      )}
    </Drawer>
  );
}

function useGuest(eventId: string, ticketId: string) {
  const [guest, setGuest] = useState<GuestDetails | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    setFailure(null);
    try {
      setGuest(await call(guestDetails, { eventId, ticketId }));
    } catch (error) {
      setFailure(failureFrom(error, text.notLoaded));
    }
  }, [eventId, ticketId]);
  useEffect(() => void reload(), [reload]);
  return { guest, failure, reload };
}

function Facts({
  guest: { email, ticketName, confirmationNumber, price, answers, doorNote },
}: {
  guest: GuestDetails;
}) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{text.email}</dt>
        <dd className={styles.email}>{email || text.noEmail}</dd>
      </div>
      <div>
        <dt>{text.ticket}</dt>
        <dd>
          {ticketName} · {price > 0 ? formatDollars(price) : text.free}
        </dd>
      </div>
      <div>
        <dt>{text.number}</dt>
        <dd className={styles.number}>{confirmationNumber.replace(/(\d{3})(\d{3})(\d{4})/, '$1 $2 $3')}</dd>
      </div>
      {doorNote !== '' && (
        <div>
          <dt>{text.doorNote}</dt>
          <dd className={styles.answer}>{doorNote}</dd>
        </div>
      )}
      {answers.map(({ label, answer }) => (
        <div key={`${label} ${answer}`}>
          <dt>{label}</dt>
          <dd className={styles.answer}>{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

function OrderTickets({ guest, addressOf }: { guest: GuestDetails; addressOf: GuestDrawerProps['addressOf'] }) {
  const headingId = useId();
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <h3 id={headingId}>{text.order(guest.order.length)}</h3>
      <ul className={styles.order}>
        {guest.order.map(({ ticketId, position, name, ticketName, state }) => (
          <li key={ticketId} aria-current={ticketId === guest.ticketId || undefined}>
            <span className={styles.inOrder}>
              {ticketId === guest.ticketId ? (
                <strong>{text.ofOrder(position, ticketName)}</strong>
              ) : (
                <Link to={addressOf(ticketId)} replace state={{ keepsScroll: true, isOverList: true }}>
                  {text.ofOrder(position, ticketName)}
                </Link>
              )}
              {name !== null && <span className={styles.quiet}>{name}</span>}
            </span>
            <TicketChip ticket={{ state, scannedAt: null }} timezone={guest.timezone} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export { GuestDrawer as Component };
