/** Loaded with the buyer's first promo code: the field for it, and what it does to the page. */
import { type SubmitEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { PublicEvent } from '#contract/app/events.ts';
import { PROMO_TYPED_MAX } from '#domain/limits.ts';
import { outage } from '#messages/pages.ts';
import { promoField as text } from '#messages/sales/promo-field.ts';
import { codeFrom, messageFrom } from '#web/call-error.ts';
import { loadCode } from '#web/load-code.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import fieldStyles from '#web/ui/form/Field.module.css';
import { FieldError } from '#web/ui/form/Field.tsx';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
import type { CartLine } from '../cart/cart.ts';
import type { BuyerPromo } from './buyer-promo.ts';
import styles from './promo.module.css';
import { splitOf } from './promo-prices.ts';

export { centsWith, ticketsWith } from './promo-prices.ts';

interface PromoFieldProps {
  promo: BuyerPromo;
  /** Another object after each reload. */
  event: PublicEvent;
  lines: readonly CartLine[];
  totalCents: number;
}

export function PromoField({ promo, event, lines, totalCents }: PromoFieldProps) {
  const { applied, quote } = promo;
  const [error, setError] = useState<string | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const remove = useRef<HTMLButtonElement>(null);
  const lastRequest = useRef(0);
  const errorId = useId();
  // The buyer's own step replaces the field with the code, or the code with the field.
  const movesFocus = useRef(false);
  const isApplied = applied !== null;
  useEffect(() => {
    if (!movesFocus.current) return;
    movesFocus.current = false;
    (isApplied ? remove : field).current?.focus();
  }, [isApplied]);

  /** Resolves to whether the code is valid. A later request, or removing the code, overtakes it. */
  async function apply(code: string): Promise<boolean> {
    lastRequest.current += 1;
    const request = lastRequest.current;
    const isLatest = () => request === lastRequest.current;
    setIsChecking(true);
    setError(null);
    try {
      const { applyCode } = await loadCode(() => import('../event-calls.ts'));
      const found = await applyCode(event.eventId, code);
      if (isLatest()) promo.apply(found);
      return isLatest();
    } catch (failure) {
      if (!isLatest()) return false;
      if (codeFrom(failure) === 'promo.invalid') promo.apply(null);
      setError(messageFrom(failure, outage));
      return false;
    } finally {
      if (isLatest()) setIsChecking(false);
      promo.settle();
    }
  }

  const begin = useEffectEvent(() => {
    if (promo.known !== null) void apply(promo.known);
    else field.current?.focus();
  });
  useEffect(() => begin(), []);

  // An order was not accepted as it was shown, or the event has changed: show what the code does now.
  const refresh = useEffectEvent(() => {
    if (applied) void apply(applied.code);
  });
  useEffect(() => refresh(), [quote, event]);

  async function submit(submitted: SubmitEvent<HTMLFormElement>) {
    submitted.preventDefault();
    const code = field.current?.value.trim() ?? '';
    if (code === '' || isChecking) return field.current?.focus();
    movesFocus.current = true;
    if (await apply(code)) return;
    movesFocus.current = false;
    // Selected, so that typing replaces it.
    field.current?.select();
  }

  function drop() {
    lastRequest.current += 1;
    setIsChecking(false);
    setError(null);
    movesFocus.current = true;
    promo.apply(null);
  }

  const isUsedUp = applied?.usesLeft === 0;
  // Once the cart changes, the quote is about another order.
  const shownQuote = quote?.totalCents === totalCents ? quote : null;
  return (
    <div className={styles.promo}>
      {applied ? (
        <Banner
          kind={isUsedUp ? 'warning' : 'success'}
          role="status"
          title={text.applied(applied)}
          action={
            <Button kind="ghost" ref={remove} onClick={drop} aria-label={text.removeCode(applied.code)}>
              {text.remove}
            </Button>
          }
        >
          {[text.limits(applied), isUsedUp || shownQuote ? null : text.split(splitOf(lines, applied))]
            .filter(Boolean)
            .join(' ')}
        </Banner>
      ) : (
        <form className={styles.form} onSubmit={submit} noValidate>
          <label htmlFor={`${errorId}-field`}>{text.label}</label>
          <input
            id={`${errorId}-field`}
            ref={field}
            className={fieldStyles.control}
            maxLength={PROMO_TYPED_MAX}
            defaultValue={promo.known ?? ''}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
          />
          <Button type="submit" busy={isChecking}>
            {text.apply}
          </Button>
        </form>
      )}
      <div role="alert">{error && <FieldError id={errorId} msg={error} />}</div>
      {shownQuote && (
        <div ref={bringIntoView}>
          <Banner kind="warning" role="alert" title={shownQuote.msg}>
            {text.acceptQuote}
          </Banner>
        </div>
      )}
    </div>
  );
}
