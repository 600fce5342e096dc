import type { AuditedEvent, adminAudit, auditLog } from '#contract/app/audit.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { AUDIT_PAGE } from '#domain/limits.ts';
import { keyDevice } from '#messages/check-in.ts';
import { authorize } from '#server/accounts/policies.ts';
import { membersOf, newestEventsOf } from '#server/accounts/team/team.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isErased } from '#server/platform/erased-address.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { type AuditFilters, type AuditRow, auditRows } from './audit-log.sql.ts';

/** Events that the filter offers. */
const EVENTS_MAX = 200;

/** What happened in the member's organization. Operators have no names here. */
export async function listAuditLog(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { after, ...filters }: InputOf<typeof auditLog>,
): Promise<ReplyOf<typeof auditLog>> {
  authorize(actor, 'audit.view');
  const { organizationId } = actor;
  const page = await pageOf(db, { ...filters, organizationId }, after);
  const entries = page.entries.map((entry) => (entry.actorKind === 'operator' ? { ...entry, actor: null } : entry));
  const members = (await membersOf(db, organizationId)).map(({ userId: id, email }) => ({ id, email }));
  return { ...page, entries, members, events: await newestEventsOf(db, organizationId, EVENTS_MAX) };
}

/** Everything, for operators. */
export function listAllAuditLogs(
  { db }: Pick<Deps, 'db'>,
  { after, organization, ...filters }: InputOf<typeof adminAudit>,
): Promise<ReplyOf<typeof adminAudit>> {
  return pageOf(db, { ...filters, organizationId: organization ?? null }, after);
}

async function pageOf(db: Deps['db'], filters: AuditFilters, after: string | undefined) {
  const rows = await auditRows(db, filters, { after: after ?? null, limit: AUDIT_PAGE + 1 });
  const page = rows.slice(0, AUDIT_PAGE);
  return { entries: page.map(entryOf), next: rows.length > AUDIT_PAGE ? (page.at(-1)?.id ?? null) : null };
}

function entryOf({ id, at, action, actorKind, params, ...row }: AuditRow): AuditedEvent {
  return {
    id,
    at: at.toISOString(),
    action,
    actorKind,
    actor: nameOf(row),
    organization: row.organizationId === null ? null : { id: row.organizationId, name: row.organization },
    event: row.eventId === null ? null : { eventId: row.eventId, title: row.title },
    params,
  };
}

function nameOf({ email, device, keyName }: Pick<AuditRow, 'email' | 'device' | 'keyName'>): string | null {
  if (email !== null && !isErased(email)) return email;
  return keyName === null ? device : keyDevice(keyName);
}
