import { useCallback } from 'react';
import * as z from 'zod/mini';
import { type EventTax, editEventTax, eventTax } from '#contract/app/records/event-tax.ts';
import { formatCents, formatRate } from '#messages/format.ts';
import { includedTax as text } from '#messages/records/included-tax.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { formatDate } from '#web/ui/data/format.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { usePolled } from '#web/ui/page/use-polled.ts';
import styles from './money.module.css';

interface SalesTaxProps {
  eventId: string;
  timezone: string;
}

const POLL_MS = 60_000;

/** What tax prices include, and how much of it was sold. */
export function SalesTax({ eventId, timezone }: SalesTaxProps) {
  const read = useCallback((signal: AbortSignal) => call(eventTax, { eventId }, { signal }), [eventId]);
  const { view, failure, refresh } = usePolled(read, POLL_MS);
  return (
    <section className={styles.card} aria-labelledby="money-tax">
      <h2 id="money-tax" className={styles.heading}>
        {text.title}
      </h2>
      <div className={styles.tax}>
        <p>{text.lead}</p>
        {failure && !view && (
          <NotLoaded msg={failure.msg} mayRetry={failure.mayRetry} onRetry={async () => refresh()} />
        )}
        {view?.mayEdit && <TaxForm eventId={eventId} tax={view.tax} onSaved={refresh} />}
        {view && !view.mayEdit && <p>{view.tax ? `${view.tax.label} ${formatRate(view.tax.rate)}` : text.none}</p>}
        {view && view.shares.length > 0 && <Shares shares={view.shares} timezone={timezone} />}
      </div>
    </section>
  );
}

const taxForm = z.pick(editEventTax.input, { percent: true, label: true });

interface TaxFormProps {
  eventId: string;
  tax: EventTax['tax'];
  onSaved: () => void;
}

function TaxForm({ eventId, tax, onSaved }: TaxFormProps) {
  const form = useForm(
    taxForm,
    async (typed) => {
      toast.success((await call(editEventTax, { eventId, ...typed })).msg);
      onSaved();
    },
    { fallback: text.failed },
  );
  return (
    <Form form={form} className={styles.taxForm}>
      <TextField
        label={text.percent}
        name="percent"
        hint={text.percentHint}
        defaultValue={tax ? String(tax.rate / 1000) : ''}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField
        label={text.label}
        name="label"
        hint={text.labelHint}
        defaultValue={tax?.label ?? ''}
        autoComplete="off"
      />
      <Button type="submit" kind="ghost" busy={form.submitting}>
        {text.save}
      </Button>
    </Form>
  );
}

function Shares({ shares, timezone }: { shares: EventTax['shares']; timezone: string }) {
  return (
    <>
      <h3>{text.shares}</h3>
      <dl className={styles.shares}>
        {shares.map((share) => (
          <div key={share.since}>
            <dt>
              {text.share(share)}
              {shares.length > 1 && <span> {text.since(formatDate(share.since, timezone))}</span>}
            </dt>
            <dd>{formatCents(share.taxCents)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
