import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';

const owners = (db: Db) =>
  db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.userId', 'u.id')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .where('m.role', '=', 'owner');

const actorColumns = ['m.userId', 'm.organizationId', 'm.role', 'm.onlyEventIds', 'u.emailVerifiedAt'] as const;

/** The owner of the organization that registered with this email, just logged in. */
export async function actorOf(db: Db, email: string): Promise<Actor> {
  const owner = await owners(db).where('u.email', '=', email).select(actorColumns).executeTakeFirstOrThrow();
  return { ...owner, isReauthenticated: true, lacksFactor: false, scopes: null, sessionId: null };
}

/** The owner of the organization that sells this event, just logged in. */
export async function organizerOf(db: Db, eventId: string): Promise<Actor> {
  const owner = await owners(db)
    .innerJoin('events as e', 'e.organizationId', 'o.id')
    .where('e.id', '=', eventId)
    .select(actorColumns)
    .executeTakeFirstOrThrow();
  return { ...owner, isReauthenticated: true, lacksFactor: false, scopes: null, sessionId: null };
}

/** Everything stored about an organizer and their organization. */
export const storedAccount = (db: Db, email: string) =>
  owners(db)
    .where('u.email', '=', email)
    .selectAll('u')
    .select(['o.id as organizationId', 'o.name as organizationName', 'o.bio as organizationBio'])
    .select(['o.type as organizationType', 'o.taxIdSealed', 'o.taxIdLast4', 'o.tokenCount', 'o.feeWaivers'])
    .executeTakeFirstOrThrow();
