import { useState } from 'react';
import { type OrderDetails, type OrderTable, resendOrderToBuyer } from '#contract/app/sales/orders.ts';
import { orderDrawer as text } from '#messages/sales/orders.ts';
import { correctEmailDialog } from '#messages/sales/ticket-transfers.ts';
import { call, messageFrom } from '#web/api.ts';
import drawer from '#web/shell/workspace/list/Drawer.module.css';
import { RefundDialog } from '#web/shell/workspace/list/RefundDialog.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { CorrectEmailDialog } from '#web/ui/dialog/CorrectEmailDialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';

interface OrderActionsProps {
  eventId: string;
  order: OrderDetails;
  may: OrderTable['may'];
  onChanged: () => Promise<void>;
}

/** What the member may do for this order now. */
export function OrderActions({ eventId, order, may, onChanged }: OrderActionsProps) {
  const [dialog, setDialog] = useState<'correct-email' | 'refund' | null>(null);
  const { orderId, email, tickets, isEventCancelled } = order;
  const close = () => setDialog(null);
  const isUsable = tickets.some(({ state }) => state === 'valid' || state === 'scanned' || state === 'disputed');
  const mayResend = may.includes('ticket.resend') && email !== '' && isUsable && !isEventCancelled;
  const mayCorrect = may.includes('order.correct-email') && email !== '' && tickets.length > 0 && !isEventCancelled;
  const mayRefund = may.includes('ticket.refund') && tickets.some(({ isRefundable }) => isRefundable);
  if (!mayResend && !mayCorrect && !mayRefund) return null;

  return (
    <div className={drawer.actions}>
      {mayResend && <ResendButton eventId={eventId} orderId={orderId} onSent={onChanged} />}
      {mayCorrect && (
        <Button kind="ghost" onClick={() => setDialog('correct-email')}>
          {correctEmailDialog.button}
        </Button>
      )}
      {mayRefund && (
        <Button kind="ghost" onClick={() => setDialog('refund')}>
          {text.refund}
        </Button>
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
      {dialog === 'refund' && (
        <RefundDialog eventId={eventId} orderId={orderId} onRefunded={onChanged} onClose={close} />
      )}
    </div>
  );
}

function ResendButton({ eventId, orderId, onSent }: { eventId: string; orderId: string; onSent: () => Promise<void> }) {
  const [isBusy, setIsBusy] = useState(false);

  async function resend() {
    setIsBusy(true);
    try {
      toast.success((await call(resendOrderToBuyer, { eventId, orderId })).msg);
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
