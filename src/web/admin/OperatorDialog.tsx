import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { noteForm } from '#contract/app/action-items.ts';
import { outage } from '#messages/pages.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextArea } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './OperatorDialog.module.css';

interface OperatorDialogProps {
  label: string;
  summary: ReactNode;
  question: string;
  /** Null where something else records the reason. */
  note: { label: string; hint: string } | null;
  isDanger: boolean;
  send: (note: string) => Promise<{ msg: string }>;
  onClose: () => void;
  onDone: () => Promise<void>;
}

/** Confirms what an operator does, and asks why. */
export function OperatorDialog({
  label,
  summary,
  question,
  note: noteTexts,
  isDanger,
  send,
  onClose,
  onDone,
}: OperatorDialogProps) {
  const form = useForm(
    noteTexts ? noteForm : z.object({ note: z.optional(z.string()) }),
    async ({ note = '' }) => {
      const { msg } = await send(note);
      toast.success(msg);
      onClose();
      await onDone();
    },
    { fallback: outage },
  );

  return (
    <Dialog title={label} open onClose={onClose}>
      <div className={styles.body}>
        <p className={styles.summary}>{summary}</p>
        <p>{question}</p>
        <Form form={form}>
          {noteTexts && <TextArea {...noteTexts} name="note" rows={3} required />}
          <div className={styles.choices}>
            <Button type="submit" kind={isDanger ? 'danger' : 'primary'} busy={form.submitting}>
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
