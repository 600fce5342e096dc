/** The schema of the *Tickets* form, and its times: fields show no seconds, and an hour that occurs twice only once. */
import * as z from 'zod/mini';
import { type EventTickets, ticketsForm } from '#contract/app/events.ts';
import { because, type FormProblem } from '#contract/forms/form-problem.ts';
import { orderMaxOf, ticketRowProblems } from '#contract/forms/ticket-sales.ts';
import { perOrderOf, type TicketRow } from '#contract/forms/ticket-types.ts';
import { instantOf, localTimeOf } from '#domain/local-time.ts';

type Stored = Pick<EventTickets, 'tickets' | 'timezone'>;

/** Also reports times that don't exist in the event's time zone, whatever else is wrong. */
export const ticketsFormFor = (stored: Stored) =>
  ticketsForm.check(
    z.check<z.infer<typeof ticketsForm>>(
      ({ value, issues }) => {
        for (const { field, reason } of problemsIn(value, stored))
          issues.push({ code: 'custom', input: value, path: field.split('.'), message: because(reason) });
      },
      { when: ({ value }: { value: unknown }) => hasRows(value) },
    ),
  );

const hasRows = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'tickets' in value && Array.isArray(value.tickets);

function problemsIn({ tickets, maxPerOrder = '' }: z.infer<typeof ticketsForm>, stored: Stored): FormProblem[] {
  const { timezone } = stored;
  const isLimit = perOrderOf(maxPerOrder) !== undefined;
  const limit = isLimit ? orderMaxOf(maxPerOrder) : Number.POSITIVE_INFINITY;
  return ticketRowProblems(
    tickets.map((row) => ({ ...row, ...meantTimes(row, stored) })),
    { timezone, maxPerOrder: limit },
  );
}

/** Blank without a time. */
export const shownTime = (instant: string | null | undefined, timezone: string): string =>
  instant ? localTimeOf(new Date(instant), timezone) : '';

/** An untouched time is the instant that was stored. */
export const meantTime = (typed: string, stored: string | null | undefined, timezone: string): string =>
  stored && typed === shownTime(stored, timezone) ? stored : typed;

export function asInstant(typed: string, timezone: string, doubled: 'earlier' | 'later'): string {
  const instant = typed && instantOf(typed, timezone, doubled);
  return instant instanceof Date ? instant.toISOString() : typed;
}

/** `Eastern Time` */
export function zoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

export const typedPrice = (dollars: number): string =>
  Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2);

/** Times as instants: another window may change the time zone before these are saved. */
export function withInstants(row: TicketRow, stored: Stored): TicketRow {
  const { salesFrom, salesUntil } = meantTimes(row, stored);
  const { timezone } = stored;
  return {
    ...row,
    salesFrom: asInstant(salesFrom, timezone, 'earlier'),
    salesUntil: asInstant(salesUntil, timezone, 'later'),
  };
}

function meantTimes({ ticketId, salesFrom = '', salesUntil = '' }: TicketRow, { tickets, timezone }: Stored) {
  const stored = tickets.find((type) => type.ticketId === ticketId);
  return {
    salesFrom: meantTime(salesFrom, stored?.salesFrom, timezone),
    salesUntil: meantTime(salesUntil, stored?.salesUntil, timezone),
  };
}
