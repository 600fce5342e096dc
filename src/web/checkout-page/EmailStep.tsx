import type { CheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { orderCodeForm, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { freeOrderPage as text } from '#messages/sales/free-orders.ts';
import { call, codeFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';

interface EmailStepProps {
  handle: string;
  /** To correct. */
  address: string | undefined;
  onSent: (order: CheckoutPage) => void;
  /** This browser proved the address before. */
  onProved: (sessionId: string) => void;
  onEnded: () => void;
}

export function EmailStep({ handle, address, onSent, onProved, onEnded }: EmailStepProps) {
  const form = useForm(
    orderCodeForm,
    async (typed) => {
      try {
        const { sessionId, order } = await call(sendOrderCode, { ...typed, handle });
        if (sessionId === null) onSent(order);
        else onProved(sessionId);
      } catch (error) {
        if (codeFrom(error) === 'checkout.reservation-expired') onEnded();
        throw error;
      }
    },
    { fallback: text.notSent, rejectedField: 'email' },
  );
  return (
    <Form form={form}>
      <Honeypot />
      <TextField
        label={text.email}
        name="email"
        hint={text.emailHint}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={address}
        required
      />
      <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
        {form.submitting ? text.sending : text.sendCode}
      </Button>
    </Form>
  );
}
