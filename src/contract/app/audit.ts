/** The audit log: an organization's own, and the operator's of all. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { actorKinds } from '#domain/accounts/audit-actions.ts';
import { roles } from '#domain/accounts/roles.ts';

const FILTER_MAX = 64;
const filter = z.optional(z.string().check(z.maxLength(FILTER_MAX)));

/** As `toISOString` writes it. */
const instant = z.optional(z.string().check(z.refine(isInstant)));

const filters = z.object({
  /** An account or a check-in device. */
  actor: z.optional(z.uuid()),
  action: filter,
  event: filter,
  from: instant,
  until: instant,
});

function isInstant(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

/** What messages say besides their action. The log may hold more, which the CSV has. */
const params = z.object({
  kind: z.optional(z.string()),
  cents: z.optional(z.number()),
  isMoved: z.optional(z.boolean()),
  role: z.optional(z.enum(roles)),
  tickets: z.optional(z.number()),
  found: z.optional(z.number()),
  isOn: z.optional(z.boolean()),
  isIssued: z.optional(z.boolean()),
  dates: z.optional(z.number()),
});

export type AuditParams = z.infer<typeof params>;

const entry = z.object({
  id: z.string(),
  at: z.string(),
  action: z.string(),
  actorKind: z.enum(actorKinds),
  /** An email address, or the name of a check-in device; null for an operator in an organization's log, and when it is unknown. */
  actor: z.nullable(z.string()),
  organization: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  event: z.nullable(z.object({ eventId: z.string(), title: z.nullable(z.string()) })),
  params,
});

export type AuditedEvent = z.infer<typeof entry>;

const page = z.object({
  /** Newest first. */
  entries: z.array(entry),
  /** Cursor of the next page. */
  next: z.nullable(z.string()),
});

export const auditLog = endpoint({
  method: 'GET',
  path: '/api/protected/audit',
  access: 'organizer',
  input: z.extend(filters, { after: z.optional(z.uuid()) }),
  reply: z.extend(page, {
    /** What the filters offer: everyone who may act, and the newest events. */
    members: z.array(z.object({ id: z.string(), email: z.string() })),
    events: z.array(z.object({ eventId: z.string(), title: z.string() })),
  }),
});

export const adminAudit = endpoint({
  method: 'GET',
  path: '/api/protected/admin/audit',
  access: 'admin',
  input: z.extend(filters, { organization: z.optional(z.uuid()), after: z.optional(z.uuid()) }),
  reply: page,
});

export const adminAuditFile = endpoint({
  method: 'GET',
  path: '/api/protected/admin/audit.csv',
  access: 'admin',
  input: z.extend(filters, { organization: z.optional(z.uuid()) }),
  reply: z.string(),
});
