import * as z from 'zod/mini';
import { outage } from '#contract/sentences.ts';
import {
  type ActionItem,
  actionItemMessages,
  noteForm,
  type OperatorAction,
  operatorActionMessages,
  refundReviewedOrder,
  retryActionItem,
  settleAnotherWay,
  writeOffReceivable,
} from '#contract/stuck.ts';
import { formatCents } from '#domain/money.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Form } from '#web/ui/Form.tsx';
import { TextArea } from '#web/ui/fields.tsx';
import { toast } from '#web/ui/toast.ts';
import { useForm } from '#web/ui/use-form.ts';
import styles from './ActDialog.module.css';

interface ActDialogProps {
  act: OperatorAction;
  item: ActionItem;
  onClose: () => void;
  onActed: () => Promise<void>;
}

const needsNote = (act: OperatorAction) => act === 'paid-another-way' || act === 'write-off';

/** Asks before anything is done by hand, and for a note where no card company keeps one. */
export function ActDialog({ act, item, onClose, onActed }: ActDialogProps) {
  const { label, question } = operatorActionMessages[act];
  const form = useForm(
    needsNote(act) ? noteForm : z.object({ note: z.optional(z.string()) }),
    async ({ note = '' }) => {
      const { msg } = await send(act, item, note);
      toast.success(msg);
      onClose();
      await onActed();
    },
    { fallback: outage },
  );

  return (
    <Dialog title={label} open onClose={onClose}>
      <div className={styles.body}>
        <p className={styles.what}>
          {actionItemMessages[item.kind].what}
          {item.cents !== null && `, ${formatCents(item.cents)}`}
        </p>
        <p>{question}</p>
        <Form form={form}>
          {needsNote(act) && (
            <TextArea
              label="Note"
              name="note"
              hint="How, when, and why. It is kept with your name."
              rows={3}
              required
            />
          )}
          <div className={styles.choices}>
            <Button type="submit" kind={act === 'retry' ? 'primary' : 'danger'} busy={form.submitting}>
              {label}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              Leave it
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  );
}

function send(act: OperatorAction, { kind, subject }: ActionItem, note: string): Promise<{ msg: string }> {
  if (act === 'retry') return call(retryActionItem, { kind, subject });
  if (act === 'refund-order') return call(refundReviewedOrder, { subject });
  return call(act === 'write-off' ? writeOffReceivable : settleAnotherWay, { subject, note });
}
