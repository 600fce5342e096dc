import type { EventFileKind, eventFile } from '#contract/app/records/event-files.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { AuditAction } from '#domain/accounts/audit-actions.ts';
import type { Action } from '#domain/accounts/roles.ts';
import { eventFileTexts as text } from '#messages/records/event-files.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { ownEventToExport } from '#server/events/events.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { BYTE_ORDER_MARK, csvLine } from '#server/platform/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import {
  checkInTable,
  orderTable,
  payoutTable,
  promoCodeTable,
  refundTable,
  salesTable,
  type Table,
} from './tables.ts';

const TABLES: Record<EventFileKind, (db: Deps['db'], event: { eventId: string; timezone: string }) => Table> = {
  orders: orderTable,
  refunds: refundTable,
  'check-ins': checkInTable,
  'promo-codes': promoCodeTable,
  payouts: payoutTable,
  sales: salesTable,
};

/** Personal data takes what the guest list takes. */
const ACTIONS: Record<EventFileKind, Action> = {
  orders: 'guest.export',
  refunds: 'payout.view',
  'check-ins': 'guest.export',
  'promo-codes': 'sales.view',
  payouts: 'payout.view',
  sales: 'sales.view',
};

const AUDITED: Partial<Record<EventFileKind, AuditAction>> = {
  orders: 'export-orders',
  'check-ins': 'export-check-ins',
};

/** Streams a file with one piece in memory at a time. */
export async function readEventFile(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  { eventId, kind }: InputOf<typeof eventFile>,
): Promise<FileDownload> {
  await authorizeEvent(deps, actor, ACTIONS[kind], eventId);
  await consumeLimit(deps.rateLimiter, 'export-files', actor.userId);
  const event = await ownEventToExport(deps.db, actor.organizationId, eventId);
  if (!event) throw new AppError('event.not-found');
  const { title, day, timezone } = event;
  const action = AUDITED[kind];
  if (action) await recordAuditEvent(deps.db, { action, by: actor, subject: eventId, eventId, at: deps.clock.now() });
  return {
    fileName: text.fileName(kind, title, day),
    chunks: piecesOf(TABLES[kind](deps.db, { eventId, timezone })),
  };
}

async function* piecesOf({ columns, pieces }: Table): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns);
  for await (const rows of pieces) if (rows.length > 0) yield rows.map((cells) => csvLine(cells)).join('');
}
