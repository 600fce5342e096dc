/** Loaded with the buyer's first promo code: the field for it, and what it does to the page. */
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PROMO_TYPED_MAX } from '#domain/limits.ts';
import { outage } from '#messages/pages.ts';
import { promoField as text } from '#messages/sales/promo-field.ts';
import { messageFrom } from '#web/call-error.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { FieldError } from '#web/ui/form/Field.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import styles from './promo.module.css';

export { centsWith, ticketsWith } from './promo-prices.ts';

import type { BuyerPromo } from './use-promo-code.ts';

export function PromoField({ promo, eventId }: { promo: BuyerPromo; eventId: string }) {
  const { applied, quote } = promo;
  const [error, setError] = useState<string | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const remove = useRef<HTMLButtonElement>(null);

  /** Resolves to whether the code is valid. */
  async function apply(code: string): Promise<boolean> {
    setIsChecking(true);
    setError(null);
    try {
      const { applyCode } = await loadCode(() => import('../event-calls.ts'));
      promo.apply(await applyCode(eventId, code));
      return true;
    } catch (failure) {
      promo.apply(null);
      setError(messageFrom(failure, outage));
      return false;
    } finally {
      setIsChecking(false);
    }
  }

  const begin = useEffectEvent(() => {
    if (promo.known !== null) void apply(promo.known);
    else field.current?.focus();
  });
  useEffect(() => begin(), []);

  // The order was not accepted as it was shown: show what the code does now.
  const refresh = useEffectEvent(() => {
    if (applied) void apply(applied.code);
  });
  useEffect(() => {
    if (quote) refresh();
  }, [quote]);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = field.current?.value.trim() ?? '';
    if (code === '' || isChecking) return field.current?.focus();
    if (await apply(code)) requestAnimationFrame(() => remove.current?.focus());
    else field.current?.focus();
  }

  function drop() {
    promo.apply(null);
    requestAnimationFrame(() => field.current?.focus());
  }

  return (
    <div className={styles.promo}>
      {applied ? (
        <Banner
          kind="success"
          role="status"
          title={text.applied(applied)}
          action={
            <Button kind="ghost" ref={remove} onClick={drop} aria-label={text.removeCode(applied.code)}>
              {text.remove}
            </Button>
          }
        >
          {text.limits(applied)}
        </Banner>
      ) : (
        <form className={styles.form} onSubmit={submit} noValidate>
          <TextField
            label={text.label}
            name="promo-code"
            maxLength={PROMO_TYPED_MAX}
            defaultValue={promo.known ?? ''}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            ref={field}
          />
          <Button type="submit" busy={isChecking}>
            {text.apply}
          </Button>
        </form>
      )}
      <div role="alert">{error && <FieldError id="promo-error" msg={error} />}</div>
      {quote && (
        <div ref={bringIntoView}>
          <Banner kind="warning" role="alert" title={quote.msg}>
            {text.acceptQuote}
          </Banner>
        </div>
      )}
    </div>
  );
}
