import * as z from 'zod/mini';
import {
  type ActionItem,
  decideEarlyCheckIn,
  noteForm,
  type OperatorAction,
  refundReviewedOrder,
  retryActionItem,
  settleAnotherWay,
  writeOffReceivable,
} from '#contract/app/action-items.ts';
import { formatCents } from '#domain/money.ts';
import { actionItemMessages, operatorActionMessages } from '#messages/operator.ts';
import { outage } from '#messages/pages.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextArea } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './ActionDialog.module.css';

interface ActionDialogProps {
  action: OperatorAction;
  item: ActionItem;
  onClose: () => void;
  onActed: () => Promise<void>;
}

const needsNote = (action: OperatorAction) => action !== 'retry' && action !== 'refund-order';

/** Confirms an operator action, and asks for a note where nothing else records the reason. */
export function ActionDialog({ action, item, onClose, onActed }: ActionDialogProps) {
  const { label, question } = operatorActionMessages[action];
  const form = useForm(
    needsNote(action) ? noteForm : z.object({ note: z.optional(z.string()) }),
    async ({ note = '' }) => {
      const { msg } = await send(action, item, note);
      toast.success(msg);
      onClose();
      await onActed();
    },
    { fallback: outage },
  );

  return (
    <Dialog title={label} open onClose={onClose}>
      <div className={styles.body}>
        <p className={styles.summary}>
          {actionItemMessages[item.kind].what}
          {item.cents !== null && `, ${formatCents(item.cents)}`}
        </p>
        <p>{question}</p>
        <Form form={form}>
          {needsNote(action) && (
            <TextArea label="Note" name="note" hint="How, when, and why. Saved with your name." rows={3} required />
          )}
          <div className={styles.choices}>
            <Button type="submit" kind={action === 'retry' ? 'primary' : 'danger'} busy={form.submitting}>
              {label}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              Not now
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  );
}

function send(action: OperatorAction, { kind, subject }: ActionItem, note: string): Promise<{ msg: string }> {
  if (action === 'retry') return call(retryActionItem, { kind, subject });
  if (action === 'refund-order') return call(refundReviewedOrder, { subject });
  if (action === 'write-off') return call(writeOffReceivable, { subject, note });
  if (action === 'paid-another-way') return call(settleAnotherWay, { subject, note });
  return call(decideEarlyCheckIn, { action, subject, note });
}
