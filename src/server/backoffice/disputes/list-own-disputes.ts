import type { OwnDispute } from '#contract/app/disputes.ts';
import { denyEvidence } from '#domain/dispute.ts';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { undecidedDisputesOf } from './statements.sql.ts';

const SHOWN = 20;

/** What the organization's members can add to; with what they added. */
export async function listOwnDisputes(db: Db, actor: Actor): Promise<OwnDispute[]> {
  const rows = await undecidedDisputesOf(db, actor, SHOWN);
  return rows.map(({ state, dueAt, attemptedAt, now, ...dispute }) => ({
    ...dispute,
    dueAt: dueAt?.toISOString() ?? null,
    denial: denyEvidence({ state, dueAt, sentAt: attemptedAt }, now),
  }));
}
