import { useState } from 'react';
import { refundForm, requestRefund } from '#contract/app/refunds.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { CODE_MAX } from '#domain/limits.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { CodeField, Honeypot } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './refund.module.css';

interface RefundFormProps {
  eventId: string;
  /** Taken from the emailed link. */
  code: string;
  onAccepted: (accepted: ReplyOf<typeof requestRefund>) => void;
}

export function RefundForm({ eventId, code, onAccepted }: RefundFormProps) {
  const prefilled = digitsOf(code).slice(0, CODE_MAX);
  const [digits, setDigits] = useState(prefilled.length);
  const form = useForm(refundForm, async (values) => onAccepted(await call(requestRefund, { ...values, eventId })), {
    fallback: 'Something went wrong please contact support.',
    rejectedField: 'confirmationCode',
  });

  return (
    <Form form={form}>
      <Honeypot />
      <CodeField
        label="Confirmation Code"
        name="confirmationCode"
        hint={`The ${CODE_MAX} digits under your QR code (one per ticket).`}
        inputMode="numeric"
        autoComplete="one-time-code"
        defaultValue={prefilled}
        onInput={(event) => setDigits(digitsOf(event.currentTarget.value).length)}
        required
      />
      <div className={styles.progress}>
        <meter className={styles.meter} min={0} max={CODE_MAX} value={digits} aria-label="Digits entered" />
        <span aria-hidden="true">
          {digits} of {CODE_MAX} digits
        </span>
      </div>
      <Button type="submit" size="lg" busy={form.submitting}>
        {form.submitting ? 'Requesting your refund…' : 'Request a Refund'}
      </Button>
    </Form>
  );
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
