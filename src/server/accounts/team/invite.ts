import type { invite as call } from '#contract/app/team.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type Access, actionToManage, isForAllEvents } from '#domain/accounts/roles.ts';
import { INVITATION_DAYS, MEMBERS_MAX } from '#domain/accounts/team.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import { authorize } from '#server/accounts/policies.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { linkToken } from '#server/platform/outbox/link-token.ts';
import { queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { countPlaces, isMember, ownsEvents, putInvitation, removeInvitation } from './team.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Emails a link with which the account of the address joins. Replaces an earlier invitation of the address. */
export async function invite(
  { db, clock, rateLimiter, ...limits }: Pick<Deps, 'db' | 'clock' | 'rateLimiter' | 'appSecret' | 'rateLimitScale'>,
  actor: Actor,
  { email, ...access }: InputOf<typeof call>,
): Promise<void> {
  authorize(actor, actionToManage(access.role));
  const { organizationId } = actor;
  await consumeLimit(rateLimiter, 'invite', organizationId);
  const id = newId();
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    if (!(await lockOrganization(tx, organizationId))) throw new AppError('session.missing');
    await requireGivable(tx, organizationId, access);
    if (await isMember(tx, organizationId, email)) throw new AppError('team.already-member');
    if ((await countPlaces(tx, organizationId, { email, now })) >= MEMBERS_MAX) throw new AppError('team.full');
    const tokenHash = hashSecret(linkToken(limits.appSecret, id));
    const expiresAt = new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
    const invitation = { id, organizationId, email, ...access, tokenHash, invitedBy: actor.userId };
    await putInvitation(tx, { ...invitation, createdAt: now, expiresAt });
    const params = { role: access.role };
    await recordAuditEvent(tx, { action: 'invite-member', by: actor, subject: id, params, at: now });
    await queueLimitedEmail(tx, limits, { kind: 'invitation', subjectId: id, toAddress: email, now });
  });
}

export async function withdrawInvitation(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  invitationId: string,
): Promise<void> {
  authorize(actor, 'member.manage');
  await inTransaction(db, async (tx) => {
    const withdrawn = await removeInvitation(tx, actor.organizationId, invitationId);
    if (!withdrawn) throw new AppError('invitation.unknown');
    authorize(actor, actionToManage(withdrawn.role));
    const event = { action: 'withdraw-invitation', by: actor, subject: invitationId } as const;
    await recordAuditEvent(tx, { ...event, at: clock.now() });
  });
}

/** Only a role that takes a restriction has one, and only to events of the organization. */
export async function requireGivable(tx: Db, organizationId: string, { role, onlyEventIds }: Access): Promise<void> {
  if (onlyEventIds === null) return;
  if (isForAllEvents(role)) throw new AppError('team.all-events');
  if (!(await ownsEvents(tx, organizationId, onlyEventIds))) throw new AppError('team.unknown-event');
}
