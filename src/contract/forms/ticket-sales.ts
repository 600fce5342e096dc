/** Parses what a row means only together with its event or the other rows: when it sells, and which type it opens after. */
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { largestOrder, type SalesWindow } from '#domain/order.ts';
import type { FormProblem, FormReason } from './form-problem.ts';
import { limitProblem, limitsOf, perOrderOf, rowBefore, type TicketRow } from './ticket-types.ts';
import { timeOrNull, typedTime } from './typed-time.ts';

export type ParsedTicketRow = Omit<TicketRow, keyof SalesWindow | 'opensAfter'> &
  SalesWindow & { opensAfterRow: number | null };

/** What the rows depend on; an edit may omit it from its form. */
interface EventTerms {
  timezone: string;
  maxPerOrder: number;
}

/** The rows of a valid form, or the first problem. */
export function parseTicketRows(rows: readonly TicketRow[], event: EventTerms): ParsedTicketRow[] | FormProblem {
  const [problem] = ticketRowProblems(rows, event);
  if (problem) return problem;
  return rows.map((row) => ({
    ...row,
    salesFrom: timeOrNull(row.salesFrom, event.timezone, 'earlier'),
    salesUntil: timeOrNull(row.salesUntil, event.timezone, 'later'),
    opensAfterRow: rowBefore(rows, row) ?? null,
  }));
}

/** All of them, from top to bottom. */
export function ticketRowProblems(rows: readonly TicketRow[], event: EventTerms): FormProblem[] {
  return rows.flatMap((row, index) =>
    problemsOf(row, event).map(([field, reason]) => ({ field: `tickets.${index}.${field}`, reason })),
  );
}

function problemsOf(row: TicketRow, event: EventTerms): [field: keyof TicketRow, reason: FormReason][] {
  const problems: [field: keyof TicketRow, reason: FormReason][] = [];
  const from = typedTime(row.salesFrom, event.timezone, 'earlier');
  const until = typedTime(row.salesUntil, event.timezone, 'later');
  if (typeof from === 'string') problems.push(['salesFrom', `ticket-sales-from.${from}`]);
  if (typeof until === 'string') problems.push(['salesUntil', `ticket-sales-until.${until}`]);
  if (from instanceof Date && until instanceof Date && until <= from)
    problems.push(['salesUntil', 'ticket-sales-until.too-early']);
  const limits = limitsOf(row);
  const problem = limitProblem(limits, event.maxPerOrder, 'ticket-min.above-order');
  if (problem && largestOrder(limits) > 0 && !row.isAddOn) problems.push([problem.field, problem.reason]);
  return problems;
}

/** Counts all ticket types together; blank for as many as an order can have. The form was valid. */
export const orderMaxOf = (typed: string | number): number => perOrderOf(typed) ?? ORDER_TICKETS_MAX;
