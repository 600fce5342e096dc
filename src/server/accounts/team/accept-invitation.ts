import type { invitation } from '#contract/app/team.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { MEMBERS_MAX, ORGANIZATIONS_PER_PERSON_MAX } from '#domain/accounts/team.ts';
import { lockUser } from '#server/accounts/accounts.sql.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { hashSecret } from '#server/accounts/passwords.ts';
import { setOrganization } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { addMember, countPlaces, findInvitation, findMember, organizationsOf, removeInvitation } from './team.sql.ts';

interface Click {
  token: string;
  ip: string;
}

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'rateLimiter'>;
type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

export async function readInvitation(deps: LinkDeps, click: Click): Promise<ReplyOf<typeof invitation>> {
  const { organizationName, email, role, onlyEventIds } = await requireInvitation(deps, click);
  return { organizationName, email, role, isForAllEvents: onlyEventIds === null };
}

/** The session acts for the organization from then on. */
export async function acceptInvitation(deps: LinkDeps, person: Organizer, click: Click): Promise<void> {
  const found = await requireInvitation(deps, click);
  const now = deps.clock.now();
  await inTransaction(deps.db, async (tx) => {
    await lockOrganization(tx, found.organizationId);
    const user = await lockUser(tx, person.userId);
    // Withdrawn, replaced or accepted since.
    const current = await findInvitation(tx, hashSecret(click.token), now);
    if (!user || !current) throw new AppError('invitation.unknown');
    if (user.email.toLowerCase() !== current.email.toLowerCase())
      throw new AppError('invitation.other-address', { email: current.email });
    // Someone who only registered the address doesn't get what its owner was offered.
    if (!user.emailVerifiedAt) throw new AppError('auth.email-unverified');
    await join(tx, person, current, now);
  });
}

async function join(tx: Db, person: Organizer, { organizationId, ...invited }: Invitation, now: Date): Promise<void> {
  const { userId, sessionId } = person;
  await removeInvitation(tx, organizationId, invited.id);
  if (await findMember(tx, { organizationId, userId })) throw new AppError('team.already-member');
  if ((await countPlaces(tx, organizationId, { email: invited.email, now })) >= MEMBERS_MAX)
    throw new AppError('team.full');
  if ((await organizationsOf(tx, userId)).length >= ORGANIZATIONS_PER_PERSON_MAX)
    throw new AppError('team.too-many-organizations');
  const { role, onlyEventIds } = invited;
  await addMember(tx, { organizationId, userId, role, onlyEventIds, joinedAt: now });
  await setOrganization(tx, sessionId, organizationId, now);
  const by = { userId, organizationId, sessionId };
  await recordAuditEvent(tx, { action: 'join-organization', by, subject: userId, params: { role }, at: now });
}

/** Wrong tokens are counted by address, as those of other emailed links. */
async function requireInvitation({ db, clock, rateLimiter }: LinkDeps, { token, ip }: Click): Promise<Invitation> {
  const found = await findInvitation(db, hashSecret(token), clock.now());
  if (found) return found;
  await consumeLimit(rateLimiter, 'emailed-link', ip);
  throw new AppError('invitation.unknown');
}
