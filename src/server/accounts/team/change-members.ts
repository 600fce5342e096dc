/** Roles change, members are removed and leave, and teams end. The organization's row serializes it, so that an owner remains. */
import type { changeRole as call } from '#contract/app/team.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { actionToManage, isForAllEvents, type Role } from '#domain/accounts/roles.ts';
import { denyLosingOwner, ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { lockUser } from '#server/accounts/accounts.sql.ts';
import { lockOrganization } from '#server/accounts/organization.ts';
import { addOrganization } from '#server/accounts/organizations.sql.ts';
import { authorize } from '#server/accounts/policies.ts';
import { endKeysOf, setOrganization } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor, Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { requireGivable } from './invite.ts';
import {
  countOtherOwners,
  deleteMember,
  extendAccess,
  findMember,
  membersById,
  organizationsOf,
  setAccess,
  withdrawEvent,
} from './team.sql.ts';

type TeamDeps = Pick<Deps, 'db' | 'clock'>;

/** Counts from the member's next request on. */
export async function changeRole(
  { db, clock }: TeamDeps,
  actor: Actor,
  { userId, ...access }: InputOf<typeof call>,
): Promise<void> {
  authorize(actor, 'member.manage');
  const { organizationId } = actor;
  await inTransaction(db, async (tx) => {
    const member = await lockMember(tx, actor, userId);
    authorize(actor, actionToManage(member.role, access.role));
    await requireGivable(tx, organizationId, access);
    if (access.role !== 'owner') await keepOwner(tx, member);
    await setAccess(tx, { organizationId, userId }, access);
    const { role } = access;
    const at = clock.now();
    if (!isForAllEvents(role)) await endKeysOf(tx, { organizationId, userId }, at);
    await recordAuditEvent(tx, { action: 'change-role', by: actor, subject: userId, params: { role }, at });
    await tellMember(tx, 'role-changed', member, { organizationId, role }, at);
  });
}

/** Ends the sessions in which the member acted for the organization. */
export async function removeMember({ db, clock }: TeamDeps, actor: Actor, userId: string): Promise<void> {
  authorize(actor, 'member.manage');
  const { organizationId } = actor;
  await inTransaction(db, async (tx) => {
    const member = await lockMember(tx, actor, userId);
    authorize(actor, actionToManage(member.role));
    await keepOwner(tx, member);
    const at = clock.now();
    await keepAnOrganization(tx, member, at);
    await endKeysOf(tx, { organizationId, userId }, at);
    await deleteMember(tx, { organizationId, userId });
    await recordAuditEvent(tx, { action: 'remove-member', by: actor, subject: userId, at });
    await tellMember(tx, 'member-removed', member, { organizationId }, at);
  });
}

/** The session acts for another organization of the member from then on. */
export async function leaveOrganization({ db, clock }: TeamDeps, person: Organizer): Promise<void> {
  const { userId, organizationId, sessionId } = person;
  await inTransaction(db, async (tx) => {
    const member = await lockMember(tx, person, userId);
    await keepOwner(tx, member);
    const at = clock.now();
    const next = await keepAnOrganization(tx, member, at);
    await setOrganization(tx, sessionId, next, at);
    await endKeysOf(tx, { organizationId, userId }, at);
    await deleteMember(tx, { organizationId, userId });
    await recordAuditEvent(tx, { action: 'leave-organization', by: person, subject: userId, at });
  });
}

export async function switchOrganization(
  { db, clock }: TeamDeps,
  { userId, sessionId }: Organizer,
  organizationId: string,
): Promise<void> {
  const own = await organizationsOf(db, userId);
  if (!own.some((one) => one.organizationId === organizationId)) throw new AppError('team.unknown-organization');
  await setOrganization(db, sessionId, organizationId, clock.now());
}

/** When its organization is deleted. Each member keeps another organization; the session of `by` acts for it. */
export async function dissolveTeam(
  tx: Db,
  organizationId: string,
  { at, by }: { at: Date; by?: Pick<Organizer, 'userId' | 'sessionId'> },
): Promise<{ userId: string; email: string }[]> {
  const members = await membersById(tx, organizationId);
  for (const { userId } of members) {
    const next = await keepAnOrganization(tx, { organizationId, userId }, at);
    if (userId === by?.userId) await setOrganization(tx, by.sessionId, next, at);
    await deleteMember(tx, { organizationId, userId });
  }
  return members;
}

interface Member {
  organizationId: string;
  userId: string;
  email: string;
  role: Role;
}

async function lockMember(tx: Db, { organizationId }: Actor, userId: string): Promise<Member> {
  await lockOrganization(tx, organizationId);
  const member = await findMember(tx, { organizationId, userId });
  if (!member) throw new AppError('team.unknown-member');
  return { organizationId, userId, ...member };
}

/** Of an event that is deleted. */
export const forgetEvent = (tx: Db, organizationId: string, eventId: string): Promise<void> =>
  withdrawEvent(tx, organizationId, eventId);

/** Members and invitations with each of the `given` events have the added ones from then on. See docs/decisions/0085. */
export const giveEvents = (
  tx: Db,
  organizationId: string,
  events: { given: readonly string[]; added: readonly string[] },
): Promise<void> => extendAccess(tx, organizationId, { ...events, max: ONLY_EVENTS_MAX });

async function keepOwner(tx: Db, member: Member): Promise<void> {
  if (member.role !== 'owner') return;
  const denial = denyLosingOwner({ otherOwners: await countOtherOwners(tx, member) });
  if (denial) throw new AppError(`team.${denial}`);
}

/** A person always has an organization: after the last one ends, an empty one, as at sign-up. */
async function keepAnOrganization(
  tx: Db,
  { organizationId, userId }: Pick<Member, 'organizationId' | 'userId'>,
  at: Date,
): Promise<string> {
  // Two organizations may remove the same person at once.
  await lockUser(tx, userId);
  const other = (await organizationsOf(tx, userId)).find((one) => one.organizationId !== organizationId);
  if (other) return other.organizationId;
  const id = newId();
  await addOrganization(tx, { id, ownerId: userId, at });
  return id;
}

function tellMember(
  tx: Db,
  kind: 'role-changed' | 'member-removed',
  { userId, email }: Member,
  params: { organizationId: string; role?: Role },
  now: Date,
): Promise<void> {
  return queueEmail(tx, { kind, subjectId: newId(), params, accountId: userId, toAddress: email, now });
}
