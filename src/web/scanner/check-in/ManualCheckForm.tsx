import type { RefObject } from 'react';
import { codeLength, guestForm } from '#contract/app/check-in.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { CodeField, Honeypot } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from '../scanner.module.css';

interface ManualCheckFormProps {
  field: RefObject<HTMLInputElement | null>;
  onCode: (form: { confirmationNumber: string; honeypot?: string | undefined }) => Promise<unknown>;
}

/** For a torn ticket, a dead phone or no camera. Clears the field for the next guest. */
export function ManualCheckForm({ field, onCode }: ManualCheckFormProps) {
  const form = useForm(guestForm, async (values, element) => {
    await onCode(values);
    element.reset();
    field.current?.focus({ preventScroll: true });
  });

  return (
    <Form form={form} label="Check a code by hand" className={styles.manual}>
      <CodeField
        ref={field}
        label="Confirmation Code"
        name="confirmationNumber"
        maxLength={codeLength}
        inputMode="numeric"
        enterKeyHint="go"
        required
      />
      <Honeypot />
      <Button type="submit" busy={form.submitting} className={styles.check}>
        Check
      </Button>
    </Form>
  );
}
