import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { because } from '#contract/forms/form-problem.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './ConfirmDanger.module.css';
import { Dialog } from './Dialog.tsx';

interface ConfirmDangerProps {
  title: string;
  /** Text to type for confirmation: the name of what will be deleted. */
  phrase: string;
  phraseLabel: string;
  confirm: string;
  cancelLabel: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** The consequences, with totals. */
  children: ReactNode;
}

/** Confirms an irreversible action. The button stays enabled so it can say what is missing. */
export function ConfirmDanger({
  title,
  phrase,
  phraseLabel,
  confirm,
  cancelLabel,
  onConfirm,
  onClose,
  children,
}: ConfirmDangerProps) {
  const typed = z.object({
    phrase: z.string().check(
      z.refine((text) => isSameText(text, phrase), {
        error: because('phrase.differs'),
        params: { expected: phrase },
      }),
    ),
  });
  const form = useForm(typed, onConfirm);

  return (
    <Dialog title={title} open onClose={onClose}>
      <div className={styles.body}>
        {children}
        <Form form={form}>
          <TextField
            label={
              <>
                {phraseLabel}: <span className={styles.phrase}>{phrase}</span>
              </>
            }
            name="phrase"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
          />
          <div className={styles.choices}>
            <Button type="submit" kind="danger" busy={form.submitting}>
              {confirm}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              {cancelLabel}
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  );
}

/** HTML collapses repeated spaces in a title, so compare without them. */
function isSameText(typed: string, phrase: string): boolean {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ');
  return plain(typed) === plain(phrase);
}
