/** Brings each audited action about once, as it happens in use, and reads its entry in the log. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminAudit } from '#contract/app/audit.ts';
import { type ActorKind, type AuditAction, auditActions, isAuditAction } from '#domain/accounts/audit-actions.ts';
import { accountActions } from '#tests/support/audited/account-actions.ts';
import { eventActions } from '#tests/support/audited/event-actions.ts';
import { type Occasion, openStage, type Stage } from '#tests/support/audited/occasion.ts';
import { operatorActions } from '#tests/support/audited/operator-actions.ts';
import { expectOk, logInAgain } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let stage: Stage;
let occasions: Record<AuditAction, () => Promise<Occasion>>;
beforeAll(async () => {
  app = await startTestApp({ refundDelayMinutes: 60 });
  // A time that is written from another clock shows.
  await app.advance({ minutes: 5 });
  stage = await openStage(app);
  occasions = { ...accountActions(stage), ...operatorActions(stage), ...eventActions(stage) };
});
afterAll(() => app?.close());

/** Its time is in whole milliseconds, and the database's clock is not. */
const CLOCKS_APART_MS = 1_000;

async function entriesOf(action: AuditAction) {
  const { email, visitor } = stage.operator;
  let reply = await visitor.call(adminAudit, { action });
  // The payout comes days later, when the session has ended.
  if (reply.status === 401) {
    await logInAgain({ email, visitor });
    reply = await visitor.call(adminAudit, { action });
  }
  return expectOk(reply).entries;
}

const SESSION_KINDS = new Set<ActorKind>(['member', 'operator']);
/** Their emailed link works without a session. */
const BY_LINK = new Set<AuditAction>(['change-email', 'undo-email-change']);

async function sessionOf(id = ''): Promise<string | null> {
  const event = app.db.selectFrom('auditEvents').where('id', '=', id).select('sessionId');
  return (await event.executeTakeFirstOrThrow()).sessionId;
}

const LAST: AuditAction = 'request-payout';
const actions = [
  ...Object.keys(auditActions)
    .filter(isAuditAction)
    .filter((action) => action !== LAST),
  LAST,
];

describe('the audit log', () => {
  it('has an occasion for each action [AUDIT-1]', () => {
    expect(Object.keys(occasions).sort()).toEqual(Object.keys(auditActions).sort());
  });

  it.each(actions)('records %s with actor, event, session and time [AUDIT-1]', async (action) => {
    const occasion = await occasions[action]();
    const known = new Set((await entriesOf(action)).map(({ id }) => id));
    const before = app.now().getTime();

    await occasion.act();

    const added = (await entriesOf(action)).filter(({ id }) => !known.has(id));
    expect(
      added.map(({ actor, actorKind, organization, event }) => ({
        actor,
        actorKind,
        organization: organization?.id ?? null,
        event: event?.eventId ?? null,
      })),
    ).toEqual([
      {
        actor: occasion.actor,
        actorKind: auditActions[action],
        organization: occasion.organization,
        event: occasion.event,
      },
    ]);
    if (occasion.actor !== null && SESSION_KINDS.has(auditActions[action]) && !BY_LINK.has(action))
      expect(await sessionOf(added[0]?.id)).not.toBeNull();
    const at = new Date(added[0]?.at ?? 0).getTime();
    expect(at).toBeGreaterThan(before - CLOCKS_APART_MS);
    expect(at).toBeLessThan(app.now().getTime() + CLOCKS_APART_MS);
  });
});
