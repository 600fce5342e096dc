import { useState } from 'react';
import { resendTicket } from '#contract/app/guests.ts';
import { withdrawComp } from '#contract/app/sales/comps.ts';
import type { GuestDetails, GuestTable } from '#contract/app/sales/guest-table.ts';
import { ticketResent } from '#messages/guests.ts';
import { compsPage } from '#messages/sales/comps.ts';
import { guestDrawer as text } from '#messages/sales/guest-table.ts';
import { orderDrawer } from '#messages/sales/orders.ts';
import { correctEmailDialog } from '#messages/sales/ticket-transfers.ts';
import { call, messageFrom } from '#web/api.ts';
import styles from '#web/shell/workspace/list/Drawer.module.css';
import { RefundDialog } from '#web/shell/workspace/list/RefundDialog.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { CorrectEmailDialog } from '#web/ui/dialog/CorrectEmailDialog.tsx';
import { DoorNoteDialog } from '#web/ui/dialog/DoorNoteDialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';

interface GuestActionsProps {
  eventId: string;
  guest: GuestDetails;
  may: GuestTable['may'];
  onChanged: () => Promise<void>;
}

/** What the member may do for this guest now. */
export function GuestActions({ eventId, guest, may, onChanged }: GuestActionsProps) {
  const [dialog, setDialog] = useState<'withdraw' | 'correct-email' | 'door-note' | 'refund' | null>(null);
  const { state, name, email, confirmationNumber, orderId, ticketId, ticketName, channel, isEventCancelled } = guest;
  const close = () => setDialog(null);
  const isUsable = ['valid', 'scanned', 'disputed'].includes(state);
  const isGood = state === 'valid' && !isEventCancelled;
  const mayResend = may.includes('ticket.resend') && email !== '' && isUsable;
  const mayWithdraw = may.includes('comp.manage') && channel !== 'online' && isGood;
  const mayRefund = may.includes('ticket.refund') && channel === 'online' && isGood;
  const mayCorrect = may.includes('order.correct-email') && email !== '' && !guest.isTransferred;
  const mayNote = may.includes('door-note.edit') && isUsable;
  if (!mayResend && !mayWithdraw && !mayRefund && !mayCorrect && !mayNote) return null;

  return (
    <div className={styles.actions}>
      {mayResend && <ResendButton email={email} confirmationNumber={confirmationNumber} onSent={onChanged} />}
      {mayCorrect && (
        <Button kind="ghost" onClick={() => setDialog('correct-email')}>
          {correctEmailDialog.button}
        </Button>
      )}
      {mayNote && (
        <Button kind="ghost" onClick={() => setDialog('door-note')}>
          {text.doorNote}
        </Button>
      )}
      {mayRefund && (
        <Button kind="ghost" onClick={() => setDialog('refund')}>
          {orderDrawer.refund}
        </Button>
      )}
      {mayWithdraw && (
        <Button kind="ghost" onClick={() => setDialog('withdraw')}>
          {text.withdraw}
        </Button>
      )}
      {dialog === 'withdraw' && (
        <ConfirmDialog
          title={compsPage.withdrawTitle(ticketName, { email: email || null, name })}
          why={compsPage.withdrawWhy(email || null)}
          confirm={compsPage.withdraw}
          cancel={compsPage.keep}
          send={() => call(withdrawComp, { eventId, ticketId })}
          onDone={onChanged}
          onClose={close}
        />
      )}
      {dialog === 'refund' && (
        <RefundDialog
          eventId={eventId}
          orderId={orderId}
          ticketIds={[ticketId]}
          onRefunded={onChanged}
          onClose={close}
        />
      )}
      {dialog === 'correct-email' && (
        <CorrectEmailDialog
          eventId={eventId}
          orderId={orderId}
          email={email}
          onCorrected={() => void onChanged()}
          onClose={close}
        />
      )}
      {dialog === 'door-note' && (
        <DoorNoteDialog
          eventId={eventId}
          ticketId={ticketId}
          who={name ?? (email || confirmationNumber)}
          doorNote={guest.doorNote}
          onSaved={() => void onChanged()}
          onClose={close}
        />
      )}
    </div>
  );
}

interface ResendButtonProps {
  email: string;
  confirmationNumber: string;
  onSent: () => Promise<void>;
}

function ResendButton({ email, confirmationNumber, onSent }: ResendButtonProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function resend() {
    setIsBusy(true);
    try {
      await call(resendTicket, { email, confirmationNumber });
      toast.success(ticketResent);
      await onSent();
    } catch (error) {
      toast.error(messageFrom(error, text.notResent));
    }
    setIsBusy(false);
  }

  return (
    <Button kind="ghost" busy={isBusy} onClick={resend}>
      {text.resend}
    </Button>
  );
}
