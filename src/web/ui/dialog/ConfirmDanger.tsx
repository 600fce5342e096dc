import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './ConfirmDanger.module.css';
import { Dialog } from './Dialog.tsx';

interface ConfirmDangerProps {
  title: string;
  /** What has to be typed: the name of the thing that will be gone. */
  phrase: string;
  phraseLabel: string;
  confirm: string;
  keep: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /** What will happen, with its numbers. */
  children: ReactNode;
}

/** Asks before what nobody can undo. The button stays awake, so that it can say what is missing. */
export function ConfirmDanger({
  title,
  phrase,
  phraseLabel,
  confirm,
  keep,
  onConfirm,
  onClose,
  children,
}: ConfirmDangerProps) {
  const typed = z.object({
    phrase: z
      .string()
      .check(z.refine((text) => isSameWords(text, phrase), `${phraseLabel} exactly as it is written: ${phrase}`)),
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
              {keep}
            </Button>
          </div>
        </Form>
      </div>
    </Dialog>
  );
}

/** A title may hold two spaces in a row, which no page shows and nobody types. */
function isSameWords(typed: string, phrase: string): boolean {
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ');
  return plain(typed) === plain(phrase);
}
