import { useState } from 'react';
import { resendTicket } from '#contract/app/guests.ts';
import { withdrawComp } from '#contract/app/sales/comps.ts';
import type { GuestDetails, GuestTable } from '#contract/app/sales/guest-table.ts';
import { ticketResent } from '#messages/guests.ts';
import { compsPage } from '#messages/sales/comps.ts';
import { guestDrawer as text } from '#messages/sales/guest-table.ts';
import { call, messageFrom } from '#web/api.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './drawer.module.css';

interface GuestActionsProps {
  eventId: string;
  guest: GuestDetails;
  may: GuestTable['may'];
  onChanged: () => Promise<void>;
}

/** What the member may do for this guest now. */
export function GuestActions({ eventId, guest, may, onChanged }: GuestActionsProps) {
  const [isWithdrawing, setIsWithdrawing] = useState(false);
  const { state, email, confirmationNumber, ticketId, ticketName, channel, isEventCancelled } = guest;
  const isGood = state === 'valid' && !isEventCancelled;
  const mayResend = may.includes('ticket.resend') && email !== '' && ['valid', 'scanned', 'disputed'].includes(state);
  const mayWithdraw = may.includes('comp.manage') && channel !== 'online' && isGood;
  const mayRefund = may.includes('ticket.resend') && channel === 'online' && isGood;
  if (!mayResend && !mayWithdraw && !mayRefund) return null;

  return (
    <div className={styles.actions}>
      {mayResend && <ResendButton email={email} confirmationNumber={confirmationNumber} onSent={onChanged} />}
      {mayRefund && (
        <ButtonLink kind="ghost" to={`/refund/${eventId}?code=${confirmationNumber}`}>
          {text.refund}
        </ButtonLink>
      )}
      {mayWithdraw && (
        <Button kind="ghost" onClick={() => setIsWithdrawing(true)}>
          {text.withdraw}
        </Button>
      )}
      {isWithdrawing && (
        <ConfirmDialog
          title={compsPage.withdrawTitle(ticketName, email)}
          why={compsPage.withdrawWhy}
          confirm={compsPage.withdraw}
          cancel={compsPage.keep}
          send={() => call(withdrawComp, { eventId, ticketId })}
          onDone={onChanged}
          onClose={() => setIsWithdrawing(false)}
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
