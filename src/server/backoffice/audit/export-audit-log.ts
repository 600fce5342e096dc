import type { adminAuditFile } from '#contract/app/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { csvLine } from '#server/platform/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import type { FileDownload } from '#server/platform/http/mount-file.ts';
import { type AuditFilters, type AuditRow, auditRows } from './audit-log.sql.ts';

const ROWS_PER_PIECE = 1000;

/** For evidence, so it has the ids and no names of people. */
const columns: readonly [heading: string, cellOf: (row: AuditRow) => string | null][] = [
  ['at', ({ at }) => at.toISOString()],
  ['action', ({ action }) => action],
  ['actor_kind', ({ actorKind }) => actorKind],
  ['actor_id', ({ actorId }) => actorId],
  ['organization_id', ({ organizationId }) => organizationId],
  ['organization', ({ organization }) => organization],
  ['event_id', ({ eventId }) => eventId],
  ['subject', ({ subject }) => subject],
  ['session_id', ({ sessionId }) => sessionId],
  ['network', ({ networkHash }) => networkHash],
  ['params', ({ params }) => JSON.stringify(params)],
];

/** Streams everything that the filters let through, newest first. The export is an audit event itself. */
export async function exportAuditLog(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  admin: Organizer,
  { organization, ...filters }: InputOf<typeof adminAuditFile>,
): Promise<FileDownload> {
  const { userId: actorId, sessionId } = admin;
  const subject = organization ?? 'all';
  await recordAuditEvent(db, { action: 'export-audit-log', actorId, sessionId, subject, at: clock.now() });
  return { fileName: 'audit-log.csv', chunks: piecesOf(db, { ...filters, organizationId: organization ?? null }) };
}

async function* piecesOf(db: Deps['db'], filters: AuditFilters): AsyncGenerator<string> {
  yield csvLine(columns.map(([heading]) => heading));
  for (let after: string | null = null, isLast = false; !isLast; ) {
    const rows: AuditRow[] = await auditRows(db, filters, { after, limit: ROWS_PER_PIECE });
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row) ?? ''))).join('');
    after = rows.at(-1)?.id ?? null;
    isLast = rows.length < ROWS_PER_PIECE;
  }
}
