import { sql } from 'kysely';
import type { ActorKind } from '#domain/accounts/audit-actions.ts';
import type { AuditParams } from '#server/platform/audit/record-audit-event.ts';
import type { Db } from '#server/platform/database.ts';

export interface AuditFilters {
  /** Null for all. */
  organizationId: string | null;
  actor?: string | undefined;
  action?: string | undefined;
  event?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

export interface AuditRow {
  id: string;
  at: Date;
  action: string;
  actorKind: ActorKind;
  actorId: string | null;
  email: string | null;
  device: string | null;
  keyName: string | null;
  organizationId: string | null;
  organization: string | null;
  eventId: string | null;
  title: string | null;
  subject: string;
  sessionId: string | null;
  networkHash: string | null;
  params: AuditParams;
}

/** Newest first. The cursor only counts within the same organization. */
export async function auditRows(
  db: Db,
  filters: AuditFilters,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditRow[]> {
  const { organizationId, actor, action, event, from, until } = filters;
  const conditions = [
    ...(organizationId === null ? [] : [sql`organization_id = ${organizationId}::uuid`]),
    ...(actor === undefined ? [] : [sql`actor_id = ${actor}::uuid`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(event === undefined ? [] : [sql`event_id = ${event}`]),
    ...(from === undefined ? [] : [sql`at >= ${new Date(from)}`]),
    ...(until === undefined ? [] : [sql`at < ${new Date(until)}`]),
  ];
  const inScope = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  const older =
    after === null
      ? sql`true`
      : sql`(at, id) < (select at, id from audit_events where id = ${after}::uuid and ${inScope})`;
  const { rows } = await sql<AuditRow>`
    select a.id, a.at, a.action, a.actor_kind, a.actor_id, u.email, d.name as device, k.name as key_name, a.organization_id,
           o.name as organization, a.event_id, e.title, a.subject, a.session_id, a.network_hash, a.params
      from (select * from audit_events where ${inScope} and ${older} order by at desc, id desc limit ${limit}) as a
      left join users u on u.id = a.actor_id
      left join check_in_devices d on d.event_id = a.event_id and d.id = a.actor_id
      left join api_keys k on k.id = a.actor_id
      left join organizations o on o.id = a.organization_id
      left join events e on e.id = a.event_id
     order by a.at desc, a.id desc`.execute(db);
  return rows;
}
