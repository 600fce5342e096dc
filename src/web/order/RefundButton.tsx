import { type ComponentType, useState } from 'react';
import type { Confirmation, OrderDetails } from '#contract/app/checkout.ts';
import { outage } from '#messages/pages.ts';
import { orderPage, refundTexts } from '#messages/sales/order-page.ts';
import { messageFrom } from '#web/api.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import type { ConfirmDialogProps } from '#web/ui/dialog/ConfirmDialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './order.module.css';
import { loadOrderCalls } from './use-order.ts';

interface RefundButtonProps {
  /** Of the order's page. */
  token: string;
  ticket: Confirmation['confirmationData'][number] | OrderDetails['endedTickets'][number];
  onDone: () => void;
}

/** Shows which ticket ends and how much comes back, before it does. */
export function RefundButton({ token, ticket, onDone }: RefundButtonProps) {
  const [Dialog, setDialog] = useState<ComponentType<ConfirmDialogProps> | null>(null);
  const { button, label, title, why, confirm } = refundTexts(ticket);

  async function open() {
    try {
      const { ConfirmDialog } = await loadCode(() => import('#web/ui/dialog/ConfirmDialog.tsx'));
      setDialog(() => ConfirmDialog);
    } catch (error) {
      toast.error(messageFrom(error, outage));
    }
  }

  return (
    <>
      <Button kind="ghost" className={styles.refund} aria-label={label} onClick={() => void open()}>
        {button}
      </Button>
      {Dialog && (
        <Dialog
          title={title}
          why={why}
          confirm={confirm}
          cancel={orderPage.keep}
          send={async () => (await loadOrderCalls()).refund(token, ticket.position)}
          onDone={onDone}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}
