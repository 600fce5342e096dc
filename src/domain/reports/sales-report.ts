/**
 * Sales of an event by calendar day. A ticket counts on the day it was issued, a refund on the day it was sent, whatever became of them
 * since. Every report adds up the same cells, so all of them agree.
 */
import { addDays, daysBetween } from '../sales/sales-days.ts';

interface SalesFigures {
  tickets: number;
  /** What buyers paid for them. */
  grossCents: number;
  /** What promo codes took off their prices. */
  discountCents: number;
  /** With those whose payment a bank reversed, or a refund made at Stripe. */
  refundedTickets: number;
  refundedCents: number;
}

/** What a report can be split by. */
export const salesSplits = ['type', 'channel', 'link', 'code'] as const;

export type SalesSplit = (typeof salesSplits)[number];

export interface SalesCell extends SalesFigures {
  /** `YYYY-MM-DD` in the event's time zone. */
  day: string;
  type: string;
  channel: string;
  /** Null: no link. */
  link: string | null;
  /** Null: no code. */
  code: string | null;
}

interface SalesPart extends SalesFigures {
  id: string | null;
}

export const NO_SALES: SalesFigures = {
  tickets: 0,
  grossCents: 0,
  discountCents: 0,
  refundedTickets: 0,
  refundedCents: 0,
};

interface Period {
  /** The first and the last day. */
  from: string;
  until: string;
}

export const within = (cells: readonly SalesCell[], { from, until }: Period): SalesCell[] =>
  cells.filter(({ day }) => day >= from && day <= until);

export const sumOf = (cells: readonly SalesFigures[]): SalesFigures =>
  cells.reduce(
    (sum, cell) => ({
      tickets: sum.tickets + cell.tickets,
      grossCents: sum.grossCents + cell.grossCents,
      discountCents: sum.discountCents + cell.discountCents,
      refundedTickets: sum.refundedTickets + cell.refundedTickets,
      refundedCents: sum.refundedCents + cell.refundedCents,
    }),
    NO_SALES,
  );

/** Every day of the period, those without sales too. */
export function byDay(cells: readonly SalesCell[], { from, until }: Period): (SalesFigures & { day: string })[] {
  const cellsOf = Map.groupBy(cells, ({ day }) => day);
  return Array.from({ length: daysBetween(from, until) + 1 }, (_, index) => {
    const day = addDays(from, index);
    return { day, ...sumOf(cellsOf.get(day) ?? []) };
  });
}

/** Those that sold the most first. */
export function bySplit(cells: readonly SalesCell[], split: SalesSplit): SalesPart[] {
  const cellsOf = Map.groupBy(cells, (cell) => cell[split]);
  return [...cellsOf]
    .map(([id, own]) => ({ id, ...sumOf(own) }))
    .toSorted((one, other) => other.grossCents - one.grossCents || other.tickets - one.tickets);
}

/** From the first day with sales to this one, or to a later one with sales. */
export function wholePeriod(cells: readonly SalesCell[], until: string): Period {
  const days = cells.map(({ day }) => day);
  return {
    from: days.reduce((first, day) => (day < first ? day : first), until),
    until: days.reduce((last, day) => (day > last ? day : last), until),
  };
}

/** What of it is asked for; a day outside of it if that is nothing. It bounds how many days a request gets. */
export function periodWithin(whole: Period, asked: { from?: string | undefined; until?: string | undefined }): Period {
  const { from = whole.from, until = whole.until } = asked;
  if (from > whole.until) return { from, until: from };
  if (until < whole.from) return { from: until, until };
  return { from: from > whole.from ? from : whole.from, until: until < whole.until ? until : whole.until };
}

/** Money of a whole order that a bank, or a refund made at Stripe, reversed. */
export interface Reversal extends Pick<SalesCell, 'day' | 'channel' | 'link'> {
  cents: number;
  tickets: readonly ReversedTicket[];
}

interface ReversedTicket extends Pick<SalesCell, 'type' | 'code'> {
  cents: number;
  /** On its own, before. */
  isRefunded: boolean;
  /** By this reversal. */
  isVoided: boolean;
}

/** In proportion to the prices of the tickets that were not refunded; left-over cents go to the first ones. */
export function cellsOfReversal({ day, channel, link, cents, tickets }: Reversal): SalesCell[] {
  const kept = tickets.filter(({ isRefunded }) => !isRefunded);
  const bearing = kept.length > 0 ? kept : tickets;
  const paid = bearing.reduce((sum, ticket) => sum + ticket.cents, 0);
  const shares = bearing.map((ticket) => Math.floor(paid > 0 ? (cents * ticket.cents) / paid : cents / bearing.length));
  const left = cents - shares.reduce((sum, share) => sum + share, 0);
  return bearing.map(({ type, code, isVoided }, index) => ({
    ...NO_SALES,
    day,
    type,
    channel,
    link,
    code,
    refundedTickets: isVoided ? 1 : 0,
    refundedCents: (shares[index] ?? 0) + (index < left ? 1 : 0),
  }));
}
