import type { OrganizerEvent } from '#contract/app/events.ts';
import type { statementFile as endpoint } from '#contract/app/records/workspace.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { eventTime } from '#messages/format.ts';
import { additionalPayoutRows, statementNotes, statementRows } from '#messages/payouts.ts';
import { statementFile as text } from '#messages/records/statement-file.ts';
import { eventOf } from '#server/backoffice/workspace/read-frame.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { ownEventToExport } from '#server/events/events.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { BYTE_ORDER_MARK, csvLine } from '#server/platform/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { type StatementPart, statementPdf } from './statement-pdf.ts';

/** The statement in the organizer's profile as a file: the same rows, in the same words. */
export async function readStatementFile(
  deps: Pick<Deps, 'db' | 'publicUrl' | 'payoutBrakes' | 'clock'>,
  actor: Actor,
  { eventId, format }: InputOf<typeof endpoint>,
): Promise<FileDownload> {
  await authorizeEvent(deps, actor, 'payout.view', eventId);
  const event = await eventOf(deps, actor, eventId);
  const named = await ownEventToExport(deps.db, actor.organizationId, eventId);
  if (!named) throw new AppError('event.not-found');
  if (event.isCancelled) throw new AppError('payout.event-cancelled');
  const parts = partsOf(event, deps.clock.now());
  if (parts.length === 0) throw new AppError('payout.nothing-sold');
  const fileName = `${text.fileName(named.title, named.day)}.${format}`;
  if (format === 'csv') return { fileName, type: 'text/csv', chunks: [statementCsv(event.title, parts)] };
  const startsAt = new Date(event.startDate_startTime);
  const when = eventTime({
    startsAt,
    endsAt: new Date(event.endDate_endTime),
    timezone: event.timezone,
    readAt: null,
  });
  const printed = { title: event.title, lines: [text.takesPlace(when)], parts };
  return { fileName, type: 'application/pdf', chunks: [await statementPdf(printed)] };
}

function partsOf({ payout, timezone }: OrganizerEvent, now: Date): StatementPart[] {
  const { statement, state, paidAt, further } = payout;
  const isRequested = ['requested', 'awaiting-funds', 'awaiting-account', 'paid'].includes(state);
  if (!statement || (statement.ticketsSold === 0 && !isRequested)) return [];
  const statusOf = (isPaid: boolean, at: string | null) =>
    isPaid ? text.paid(at === null ? null : new Date(at), timezone) : text.requested;
  return [
    {
      name: text.payout,
      status: isRequested ? statusOf(state === 'paid', paidAt) : text.estimate(now, timezone),
      rows: statementRows(statement, timezone),
      notes: [...statementNotes(statement), ...(isRequested ? [] : [text.estimateNote])],
    },
    ...further.map((additional) => ({
      name: text.additional,
      status: statusOf(additional.state === 'paid', additional.paidAt),
      rows: additionalPayoutRows(additional.statement, timezone),
      notes: [],
    })),
  ];
}

function statementCsv(title: string, parts: readonly StatementPart[]): string {
  const lines = parts.flatMap(({ name, status, rows }) =>
    rows.map(({ label, dollars, isNet }) => csvLine([title, name, status, label, dollars, isNet ? text.yes : text.no])),
  );
  return BYTE_ORDER_MARK + csvLine(text.columns) + lines.join('');
}
