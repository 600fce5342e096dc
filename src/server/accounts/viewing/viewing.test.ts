import { beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { adminAudit, auditLog } from '#contract/app/audit.ts';
import { guestFile } from '#contract/app/guests.ts';
import { endViewing, viewAs, viewing } from '#contract/app/viewing.ts';
import { VIEWING_MINUTES } from '#domain/limits.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { openStage, type Samples, type Stage, sampleNamed, samplesOf } from '#tests/support/call-samples.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { emailsTo, eventOnSale, expectOk, newOrganizer } from '#tests/support/people.ts';
import { cookieHeader, inputOf, sendInput } from '#tests/support/send-sample.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function operatorOf() {
  const operator = await newOrganizer(app);
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
  return operator;
}

const eventIdsOf = async (visitor: Visitor) =>
  (expectOk(await visitor.call(profile, {})).events ?? []).map(({ eventId }) => eventId);

describe('an operator who views an organization', () => {
  it('sees it for 30 minutes, and then their own [ACT-1]', async () => {
    const { visitor } = await operatorOf();
    const { email, eventId } = await eventOnSale(app);

    expectOk(await visitor.call(viewAs, { organization: email }));
    expect(await eventIdsOf(visitor)).toEqual([eventId]);
    expect(expectOk(await visitor.call(viewing, {})).viewing).not.toBeNull();
    await app.advance({ minutes: VIEWING_MINUTES });
    expect(await eventIdsOf(visitor)).toEqual([]);
    expect(expectOk(await visitor.call(viewing, {})).viewing).toBeNull();
  });

  it('ends it earlier [ACT-1]', async () => {
    const { visitor } = await operatorOf();
    const { email } = await eventOnSale(app);

    expectOk(await visitor.call(viewAs, { organization: email }));
    expectOk(await visitor.call(endViewing, {}));

    expect(await eventIdsOf(visitor)).toEqual([]);
  });

  it('is emailed about to its owner, and in both logs [ACT-1]', async () => {
    const { visitor, email: support } = await operatorOf();
    const owner = await eventOnSale(app);
    const { organizationId } = await actorOf(app.db, owner.email);

    expectOk(await visitor.call(viewAs, { organization: organizationId }));

    expect((await emailsTo(app, owner.email))[0]?.subject).toContain('Support is viewing');
    const own = expectOk(await owner.visitor.call(auditLog, { action: 'view-as' })).entries;
    expect(own).toMatchObject([{ actorKind: 'operator', actor: null, organization: { id: organizationId } }]);
    const all = expectOk(await visitor.call(adminAudit, { action: 'view-as', organization: organizationId })).entries;
    expect(all).toMatchObject([{ actorKind: 'operator', actor: support }]);
  });

  it('downloads no personal data [ACT-1]', async () => {
    const { visitor } = await operatorOf();
    const { email, eventId } = await eventOnSale(app);
    expectOk(await visitor.call(viewAs, { organization: email }));

    const reply = await visitor.fetch(guestFile.path.replace(':eventId', eventId));

    expect(reply.status).toBe(403);
  });

  it('sees nothing of it once they are no operator any more [ACT-1]', async () => {
    const { visitor, email: support } = await operatorOf();
    const { email } = await eventOnSale(app);
    expectOk(await visitor.call(viewAs, { organization: email }));

    await appointAdmin(app.deps, { email: support, isAdmin: false });

    expect(await eventIdsOf(visitor)).toEqual([]);
  });

  it('finds no organization by an unknown id or address [ACT-1]', async () => {
    const { visitor } = await operatorOf();

    const reply = await visitor.call(viewAs, { organization: 'stranger@example.com' });

    expect(reply).toMatchObject({ status: 404, body: errorBody('view-as.unknown-organization') });
  });
});

const writes = (await endpointsOfContract()).filter(
  ([, { access, method, worksWhileViewing }]) => access !== 'public' && method !== 'GET' && !worksWhileViewing,
);

describe('a writing call of an operator who views an organization', () => {
  let stage: Stage;
  let samples: Samples;
  beforeAll(async () => {
    stage = await openStage(app);
    samples = await samplesOf(app, stage);
    expectOk(await stage.admin.visitor.call(viewAs, { organization: stage.owner.email }));
  });

  it.each(writes)('is refused: %s [ACT-1]', async (name, endpoint) => {
    const cookies = cookieHeader([...stage.admin.visitor.cookies]);

    const { status, text } = await sendInput(app.publicUrl, endpoint, inputOf(sampleNamed(samples, name)), cookies);

    expect({ status, body: JSON.parse(text) }).toMatchObject({ status: 403, body: errorBody('auth.view-only') });
  });
});
