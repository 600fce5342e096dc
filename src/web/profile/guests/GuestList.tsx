import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Guest, guestFile, resendTicket } from '#contract/app/guests.ts';
import { type Access, isAllowed } from '#domain/accounts/roles.ts';
import {
  addCompsLink,
  compMark,
  downloadGuestList,
  guestSearchHint,
  guestStateMessages,
  refundedGuests,
  ticketResent,
  transferredMark,
} from '#messages/guests.ts';
import { doorNoteDialog } from '#messages/sales/door-notes.ts';
import { guestTablePage } from '#messages/sales/guest-table.ts';
import { answered } from '#messages/sales/order-names.ts';
import { correctEmailDialog } from '#messages/sales/ticket-transfers.ts';
import { addressOf, call, messageFrom } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { CorrectEmailDialog } from '#web/ui/dialog/CorrectEmailDialog.tsx';
import { DoorNoteDialog } from '#web/ui/dialog/DoorNoteDialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { CheckboxField, TextField } from '#web/ui/form/fields.tsx';
import { downloadFile } from '#web/ui/page/download-file.ts';
import styles from './GuestList.module.css';
import { useGuests } from './use-guests.ts';

const columns: Column<Guest>[] = [
  { label: 'Email', cell: (guest) => <WhoCell guest={guest} /> },
  { label: 'Confirmation number', cell: (guest) => <span className={styles.number}>{guest.confirmationNumber}</span> },
  { label: 'Ticket', cell: (guest) => <TicketCell guest={guest} /> },
  {
    label: 'Ticket scanned',
    cell: (guest) => <Chip tone={guest.ticketScanned ? 'ok' : 'off'}>{guest.ticketScanned ? 'Yes' : 'No'}</Chip>,
  },
];

interface GuestActions {
  mayResend: boolean;
  mayCorrect: boolean;
  onCorrect: (guest: Guest) => void;
}

const actionsColumn = ({ mayResend, mayCorrect, onCorrect }: GuestActions): Column<Guest> => ({
  label: 'Actions',
  quiet: true,
  cell: (guest) => (
    <span className={styles.actions}>
      {mayResend && isUsable(guest) && guest.email !== '' && <ResendButton guest={guest} />}
      {mayCorrect && !guest.isTransferred && guest.email !== '' && (
        <Button
          kind="ghost"
          className={styles.resend}
          aria-label={correctEmailDialog.buttonLabel(guest.email)}
          onClick={() => onCorrect(guest)}
        >
          {correctEmailDialog.button}
        </Button>
      )}
    </span>
  ),
});

const noteColumn = (onOpen: (guest: Guest) => void): Column<Guest> => ({
  label: doorNoteDialog.open,
  quiet: true,
  cell: (guest) =>
    isUsable(guest) && (
      <Button
        kind="ghost"
        className={styles.resend}
        aria-label={doorNoteDialog.openLabel(whoIs(guest))}
        onClick={() => onOpen(guest)}
      >
        {doorNoteDialog.open}
      </Button>
    ),
});

const whoIs = ({ name, email, confirmationNumber }: Guest): string => name ?? (email || confirmationNumber);

export function GuestList({ access, event }: { access: Access; event: OrganizerEvent }) {
  const [noted, setNoted] = useState<Guest | null>(null);
  const {
    correct,
    setDoorNote,
    query,
    setQuery,
    isWhole,
    setIsWhole,
    guests,
    hasMore,
    loadMore,
    isLoading,
    isByBeginning,
  } = useGuests(event);
  const [corrected, setCorrected] = useState<Guest | null>(null);
  const mayResend = isAllowed(access, 'ticket.resend');
  const mayCorrect = isAllowed(access, 'order.correct-email');

  return (
    <div className={styles.list}>
      {event.guestList.length > 0 && (
        <TextField
          label="Search guests"
          name="q"
          type="search"
          className={styles.search}
          placeholder="Email or confirmation number"
          hint={isByBeginning ? guestSearchHint : undefined}
          autoComplete="off"
          value={query}
          onChange={(change) => setQuery(change.target.value)}
        />
      )}
      <div className={styles.tools}>
        <CheckboxField
          label={refundedGuests}
          name="all"
          checked={isWhole}
          onChange={(change) => setIsWhole(change.target.checked)}
        />
        <ButtonLink kind="ghost" to={`/events/${event.eventId}/guests`}>
          {guestTablePage.all}
        </ButtonLink>
        {isAllowed(access, 'comp.manage') && (
          <ButtonLink kind="ghost" to={`/events/${event.eventId}/comps`}>
            {addCompsLink}
          </ButtonLink>
        )}
        {isAllowed(access, 'guest.export') && <DownloadLink eventId={event.eventId} isWhole={isWhole} />}
      </div>
      <p role="status" className={styles.none}>
        {guests.length === 0 && (query ? `No guests match "${query}".` : 'No tickets sold yet.')}
      </p>
      {guests.length > 0 && (
        <DataTable
          caption={`Guests of ${event.title}`}
          columns={[
            ...columns,
            ...(isAllowed(access, 'door-note.edit') ? [noteColumn(setNoted)] : []),
            ...(mayResend || mayCorrect ? [actionsColumn({ mayResend, mayCorrect, onCorrect: setCorrected })] : []),
          ]}
          rows={guests}
          keyOf={(guest) => guest.confirmationNumber}
        />
      )}
      {hasMore && (
        <Button kind="ghost" busy={isLoading} onClick={loadMore}>
          Load more
        </Button>
      )}
      {corrected && (
        <CorrectEmailDialog
          eventId={event.eventId}
          orderId={corrected.orderId}
          email={corrected.email}
          onCorrected={(email) => correct(corrected.orderId, email)}
          onClose={() => setCorrected(null)}
        />
      )}
      {noted && (
        <DoorNoteDialog
          eventId={event.eventId}
          ticketId={noted.ticketId}
          who={whoIs(noted)}
          doorNote={noted.doorNote ?? ''}
          onSaved={(doorNote) => setDoorNote(noted.ticketId, doorNote)}
          onClose={() => setNoted(null)}
        />
      )}
    </div>
  );
}

function DownloadLink({ eventId, isWhole }: { eventId: string; isWhole: boolean }) {
  const { url } = addressOf(guestFile, { eventId, ...(isWhole && { all: '1' }) });
  return (
    <Button kind="ghost" onClick={() => downloadFile(url)}>
      {downloadGuestList}
    </Button>
  );
}

const isUsable = ({ state }: Guest) => state === 'valid' || state === 'scanned' || state === 'disputed';

function TicketCell({ guest: { ticketName, state, isComp, isTransferred } }: { guest: Guest }) {
  const isUsual = state === 'valid' || state === 'scanned';
  if (isUsual && !isComp && !isTransferred) return ticketName;
  return (
    <span className={styles.ticket}>
      {ticketName} {isComp && <Chip>{compMark}</Chip>}
      {isTransferred && <Chip>{transferredMark}</Chip>}
      {!isUsual && <Chip tone={state === 'disputed' ? 'bad' : 'off'}>{guestStateMessages[state]}</Chip>}
    </span>
  );
}

function WhoCell({ guest: { email, buyerName, name = buyerName, answers = [], doorNote = '' } }: { guest: Guest }) {
  return (
    <span className={styles.who}>
      {name !== undefined && <strong>{name}</strong>}
      {email !== '' && <span>{email}</span>}
      {doorNote !== '' && <span className={styles.answer}>{doorNoteDialog.shown(doorNote)}</span>}
      {answers.map((answer) => (
        <span key={answer.label} className={styles.answer}>
          {answered(answer)}
        </span>
      ))}
    </span>
  );
}

function ResendButton({ guest }: { guest: Guest }) {
  const [isResending, setIsResending] = useState(false);

  async function resend() {
    setIsResending(true);
    try {
      await call(resendTicket, { email: guest.email, confirmationNumber: guest.confirmationNumber });
      toast.success(ticketResent);
    } catch (error) {
      toast.error(messageFrom(error, 'Error resending ticket'));
    }
    setIsResending(false);
  }

  return (
    <Button kind="ghost" className={styles.resend} busy={isResending} onClick={resend}>
      Resend Ticket
    </Button>
  );
}
