/** Parses when ticket types sell, and how many of each an order takes. */
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { instantOf } from '#domain/local-time.ts';
import type { QuantityLimits, SalesWindow } from '#domain/order.ts';
import type { FormProblem, FormReason } from './form-problem.ts';
import { perOrderOf, type TicketRow } from './ticket-types.ts';

type Parsed = SalesWindow & QuantityLimits;

export type ParsedTicketRow = Omit<TicketRow, keyof Parsed> & Parsed;

/** The rows of a valid form, or the first problem. Depends on the event, which an edit may omit from its form. */
export function parseTicketRows(
  rows: readonly TicketRow[],
  event: { timezone: string; maxPerOrder: number },
): ParsedTicketRow[] | FormProblem {
  const parsed: ParsedTicketRow[] = [];
  for (const [index, row] of rows.entries()) {
    const window = windowOf(row, event.timezone);
    if ('reason' in window) return { ...window, field: `tickets.${index}.${window.field}` };
    const minPerOrder = perOrderOf(row.minPerOrder) ?? 1;
    if (minPerOrder > event.maxPerOrder) return problem(`tickets.${index}.minPerOrder`, 'ticket-min.above-order');
    parsed.push({ ...row, ...window, minPerOrder, maxPerOrder: perOrderOf(row.maxPerOrder) ?? null });
  }
  return parsed;
}

function windowOf(row: TicketRow, timezone: string): SalesWindow | FormProblem {
  const salesFrom = row.salesFrom ? instantOf(row.salesFrom, timezone, 'earlier') : null;
  if (typeof salesFrom === 'string') return problem('salesFrom', `ticket-sales-from.${salesFrom}`);
  const salesUntil = row.salesUntil ? instantOf(row.salesUntil, timezone, 'later') : null;
  if (typeof salesUntil === 'string') return problem('salesUntil', `ticket-sales-until.${salesUntil}`);
  if (salesFrom && salesUntil && salesUntil <= salesFrom) return problem('salesUntil', 'ticket-sales-until.too-early');
  return { salesFrom, salesUntil };
}

const problem = (field: string, reason: FormReason): FormProblem => ({ field, reason });

/** Of all ticket types together; blank for as many as an order can have. The form was valid. */
export const orderMaxOf = (typed: string | number): number => perOrderOf(typed) ?? ORDER_TICKETS_MAX;
