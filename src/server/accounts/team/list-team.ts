import type { organizations, team } from '#contract/app/team.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { authorize } from '#server/accounts/policies.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { invitationsOf, membersOf, newestEventsOf, organizationsOf } from './team.sql.ts';

export async function listTeam({ db, clock }: Pick<Deps, 'db' | 'clock'>, actor: Actor): Promise<ReplyOf<typeof team>> {
  authorize(actor, 'member.view');
  const { organizationId } = actor;
  const members = await membersOf(db, organizationId);
  const invitations = await invitationsOf(db, organizationId, clock.now());
  return {
    members: members.map(({ joinedAt, lastSeenAt, ...member }) => ({
      ...member,
      joinedAt: joinedAt.toISOString(),
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
      isYou: member.userId === actor.userId,
    })),
    invitations: invitations.map(({ expiresAt, ...invitation }) => ({
      ...invitation,
      expiresAt: expiresAt.toISOString(),
    })),
    events: await newestEventsOf(db, organizationId, ONLY_EVENTS_MAX),
  };
}

export async function listOrganizations(
  { db }: Pick<Deps, 'db'>,
  { userId, organizationId }: Actor,
): Promise<ReplyOf<typeof organizations>> {
  const list = await organizationsOf(db, userId);
  return { organizations: list.map((one) => ({ ...one, isThis: one.organizationId === organizationId })) };
}
