import { useId, useState } from 'react';
import type { Plan } from '#contract/app/plans.ts';
import { formatTicketFee } from '#domain/fees.ts';
import { payoutStatement } from '#domain/payout-statement.ts';
import { formatCents } from '#messages/format.ts';
import { largeEventMessage, offerTexts } from '#messages/offer.ts';
import { SelectField } from '#web/ui/form/fields.tsx';
import styles from './FeeCalculator.module.css';

const TICKETS = { min: 10, max: 1000, step: 10, first: 120 };
const DOLLARS = { min: 1, max: 150, step: 1, first: 24 };

/** Estimates a payout with the same rule that real payouts use. */
export function FeeCalculator({ plans: [first, ...others] }: { plans: readonly [Plan, ...Plan[]] }) {
  const [chosen, setChosen] = useState(first.name);
  const [tickets, setTickets] = useState(TICKETS.first);
  const [dollars, setDollars] = useState(DOLLARS.first);
  const { terms } = others.find(({ name }) => name === chosen) ?? first;
  const prices = Array.from({ length: tickets }, () => dollars * 100);
  const statement = payoutStatement(prices, false, { terms });

  return (
    <section className={styles.calculator} aria-labelledby="calculator">
      <h3 id="calculator">What you'll take home</h3>
      <div className={styles.sliders}>
        {others.length > 0 && (
          <SelectField
            label={offerTexts.plan}
            name="plan"
            value={chosen}
            options={[first, ...others].map(({ name }) => ({ value: name, label: name }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
        <Slider
          label="Paid tickets sold"
          {...TICKETS}
          value={tickets}
          shown={tickets.toLocaleString('en-US')}
          onChange={setTickets}
        />
        <Slider label="Ticket price" {...DOLLARS} value={dollars} shown={`$${dollars}`} onChange={setDollars} />
      </div>
      <dl className={styles.statement}>
        <StatementRow name="Sales" cents={statement.grossCents} />
        <StatementRow
          name={`Ticket fees, ${formatTicketFee(statement.rate)} per paid ticket`}
          cents={-statement.ticketFeesCents}
        />
        <StatementRow name="Processing fee" cents={-statement.processingFeeCents} />
        <div className={styles.net}>
          <dt>You get</dt>
          <dd>
            <output aria-live="polite">{formatCents(Math.max(0, statement.netCents))}</output>
          </dd>
        </div>
      </dl>
      <p className={styles.note}>{largeEventMessage(terms, tickets)}</p>
    </section>
  );
}

interface SliderProps {
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  shown: string;
  onChange: (value: number) => void;
}

function Slider({ label, min, max, step, value, shown, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{label}</label>
      <span aria-hidden="true">{shown}</span>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={shown}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

function StatementRow({ name, cents }: { name: string; cents: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatCents(cents)}</dd>
    </div>
  );
}
