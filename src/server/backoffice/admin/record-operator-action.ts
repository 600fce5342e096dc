/** Records who did what to which subject, and why. Runs in the transaction of the action itself. */
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import type { Db } from '#server/platform/database.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import type { Schema } from '#server/platform/schema.ts';
import { insertOperatorAction } from './admin.sql.ts';

export interface OperatorActionRecord {
  operatorId: string;
  sessionId: string;
  action: Schema['operatorActions']['action'];
  kind: string;
  subject: string;
  eventId: string | null;
  /** Only where no event says it. */
  organizationId?: string;
  cents?: number;
  note?: string;
  at: Date;
}

/** The operator who calls, and in which session. */
export const operatorOf = ({ userId, sessionId }: Organizer) => ({ operatorId: userId, sessionId });

/** False if the action was recorded before. */
export async function recordOperatorAction(
  tx: Db,
  { organizationId, sessionId, ...record }: OperatorActionRecord,
): Promise<boolean> {
  if (!(await insertOperatorAction(tx, { id: newId(), cents: 0, note: '', ...record }))) return false;
  const { operatorId: actorId, action, kind, subject, eventId, cents = 0, at } = record;
  const params = { kind, ...(cents > 0 && { cents }) };
  await recordAuditEvent(tx, {
    action,
    actorId,
    actorKind: 'operator',
    sessionId,
    ...(organizationId && { organizationId }),
    subject,
    eventId,
    params,
    at,
  });
  return true;
}
