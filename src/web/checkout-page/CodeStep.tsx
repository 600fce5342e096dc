import { useEffect, useState } from 'react';
import type { CheckoutPage } from '#contract/app/sales/checkout-page.ts';
import { confirmFreeOrder, orderProofForm, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import { CODE_AGAIN_SECONDS } from '#domain/sales/free-orders.ts';
import { freeOrderPage as text } from '#messages/sales/free-orders.ts';
import { call, codeFrom, messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CodeField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './checkout-page.module.css';

interface CodeStepProps {
  handle: string;
  email: string;
  onSent: (order: CheckoutPage) => void;
  onProved: (sessionId: string) => void;
  /** The order can't be confirmed any more. */
  onEnded: () => void;
  onOtherAddress: () => void;
}

const ENDED: ReadonlySet<string | undefined> = new Set(['checkout.reservation-expired', 'free-order.codes-used-up']);

export function CodeStep({ handle, email, onSent, onProved, onEnded, onOtherAddress }: CodeStepProps) {
  const form = useForm(
    orderProofForm,
    async ({ code }) => {
      try {
        onProved((await call(confirmFreeOrder, { handle, code })).sessionId);
      } catch (error) {
        if (ENDED.has(codeFrom(error))) onEnded();
        throw error;
      }
    },
    { fallback: text.notConfirmed, rejectedField: 'code' },
  );
  return (
    <>
      <Form form={form}>
        <CodeField
          label={text.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={text.noEmail}
          required
        />
        <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
          {form.submitting ? text.confirming : text.confirm}
        </Button>
      </Form>
      <div className={styles.actions}>
        <SendAgain handle={handle} email={email} onSent={onSent} onProved={onProved} onEnded={onEnded} />
        <Button kind="ghost" onClick={onOtherAddress}>
          {text.otherAddress}
        </Button>
      </div>
    </>
  );
}

type SendAgainProps = Omit<CodeStepProps, 'onOtherAddress'>;

function SendAgain({ handle, email, onSent, onProved, onEnded }: SendAgainProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [seconds, setSeconds] = useState(CODE_AGAIN_SECONDS);
  const isWaiting = seconds > 0;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => setSeconds((left) => left - 1), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);

  async function send() {
    if (isWaiting) return;
    setIsBusy(true);
    try {
      const { sessionId, order } = await call(sendOrderCode, { handle, email });
      if (sessionId !== null) return onProved(sessionId);
      toast.success(text.sentAgain);
      setSeconds(CODE_AGAIN_SECONDS);
      onSent(order);
    } catch (error) {
      toast.error(messageFrom(error, text.notSent));
      if (ENDED.has(codeFrom(error))) onEnded();
    }
    setIsBusy(false);
  }

  return (
    <Button kind="ghost" busy={isBusy} aria-disabled={isWaiting || undefined} onClick={() => void send()}>
      {isWaiting ? text.againIn(seconds) : text.again}
    </Button>
  );
}
