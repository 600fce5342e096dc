import type { sessions } from '#contract/app/security.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { requireReauthentication } from '#server/accounts/policies.ts';
import { removeOtherSessions, removeSessionOf, sessionsOf } from '#server/accounts/sessions.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';

/** Newest first. */
export async function listSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionId }: Organizer,
): Promise<ReplyOf<typeof sessions>> {
  const rows = await sessionsOf(db, userId, clock.now());
  return {
    sessions: rows.map(({ id, browserLabel, createdAt, lastSeenAt }) => ({
      id,
      browser: browserLabel,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      isThis: id === sessionId,
    })),
  };
}

export async function endSession(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organizer: Organizer,
  sessionId: string,
): Promise<void> {
  requireReauthentication(organizer);
  const { userId } = organizer;
  await inTransaction(db, async (tx) => {
    if (!(await removeSessionOf(tx, { userId, sessionId }))) throw new AppError('session.not-found');
    await recordAuditEvent(tx, { action: 'end-session', by: organizer, subject: sessionId, at: clock.now() });
  });
}

export async function endOtherSessions({ db, clock }: Pick<Deps, 'db' | 'clock'>, organizer: Organizer): Promise<void> {
  requireReauthentication(organizer);
  const { userId, sessionId } = organizer;
  await inTransaction(db, async (tx) => {
    await removeOtherSessions(tx, { userId, sessionId });
    await recordAuditEvent(tx, { action: 'end-session', by: organizer, subject: userId, at: clock.now() });
  });
}
