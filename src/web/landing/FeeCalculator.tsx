import { useId, useState } from 'react';
import { formatTicketFee, LARGE_EVENT_TICKET_FEE, LARGE_EVENT_TICKETS } from '#domain/fees.ts';
import { formatCents } from '#domain/money.ts';
import { payoutStatement } from '#domain/payout-statement.ts';
import styles from './FeeCalculator.module.css';

const TICKETS = { min: 10, max: 1000, step: 10, first: 120 };
const DOLLARS = { min: 1, max: 150, step: 1, first: 24 };

/** Estimates a payout with the same rule that real payouts use. */
export function FeeCalculator() {
  const [tickets, setTickets] = useState(TICKETS.first);
  const [dollars, setDollars] = useState(DOLLARS.first);
  const statement = payoutStatement(
    Array.from({ length: tickets }, () => dollars * 100),
    false,
  );

  return (
    <section className={styles.calculator} aria-labelledby="calculator">
      <h3 id="calculator">What you'll take home</h3>
      <div className={styles.sliders}>
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
      <p className={styles.note}>
        {tickets >= LARGE_EVENT_TICKETS
          ? `At ${LARGE_EVENT_TICKETS} or more paid tickets, every one gets the lower fee.`
          : `Sell ${LARGE_EVENT_TICKETS} or more paid tickets and every one drops to ${formatTicketFee(LARGE_EVENT_TICKET_FEE)}.`}
      </p>
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
