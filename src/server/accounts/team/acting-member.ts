import type { Db } from '#server/platform/database.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { memberWithAuthority } from './team.sql.ts';

/** The member for whom a job acts, with the authority of this moment. Null once it isn't one. */
export async function actingMember(
  db: Db,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<Editor | null> {
  const member = await memberWithAuthority(db, { organizationId, userId });
  if (!member) return null;
  const { requiresFactor, hasFactor, ...access } = member;
  return {
    ...access,
    userId,
    organizationId,
    sessionId: null,
    isReauthenticated: false,
    lacksFactor: requiresFactor && !hasFactor,
    scopes: null,
  };
}
