/** The schema of the *Tickets* form, and its times: fields show no seconds, and an hour that occurs twice only once. */
import { type EventTickets, ticketsForm } from '#contract/app/events.ts';
import { orderMaxOf, parseTicketRows } from '#contract/forms/ticket-sales.ts';
import type { TicketRow } from '#contract/forms/ticket-types.ts';
import { localTimeOf } from '#domain/local-time.ts';

/** Also reports times that don't exist in the event's time zone. */
export const ticketsFormIn = (timezone: string) =>
  ticketsForm.check(({ value, issues }) => {
    const parsed = parseTicketRows(value.tickets, { timezone, maxPerOrder: orderMaxOf(value.maxPerOrder ?? '') });
    if ('reason' in parsed)
      issues.push({ code: 'custom', input: value, path: parsed.field.split('.'), message: parsed.reason });
  });

/** Blank without a time. */
export const shownTime = (instant: string | undefined, timezone: string): string =>
  instant === undefined ? '' : localTimeOf(new Date(instant), timezone);

export const typedPrice = (dollars: number): string =>
  Number.isInteger(dollars) ? String(dollars) : dollars.toFixed(2);

/** Sends an untouched time as the instant that was stored. */
export function withUntouchedTimes(row: TicketRow, { tickets, timezone }: EventTickets): TicketRow {
  const stored = tickets.find(({ ticketId }) => ticketId === row.ticketId);
  const meant = (typed: string | undefined, instant: string | undefined) =>
    instant !== undefined && typed === shownTime(instant, timezone) ? instant : typed;
  return {
    ...row,
    salesFrom: meant(row.salesFrom, stored?.salesFrom),
    salesUntil: meant(row.salesUntil, stored?.salesUntil),
  };
}
