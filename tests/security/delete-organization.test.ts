/** Deleting an organization, whose people stay. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { reportEvent } from '#contract/app/abuse-reports.ts';
import { profile, saveAccountInfo } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent, publicEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deleteAccount, deleteOrganization } from '#contract/app/privacy.ts';
import { takeDownEvent } from '#contract/app/sales/event-life.ts';
import { acceptInvitation, organizations, switchOrganization, team } from '#contract/app/team.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { holdPayouts, releasePayouts } from '#server/payments/holds/hold-payout.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { backUpAccount } from '#tests/support/account-backup.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { openPayout } from '#tests/support/money.ts';
import {
  accountInfo,
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  onboardedOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { newMember, sendInvitation } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const remove = ({ visitor }: { visitor: Visitor }) => visitor.call(deleteOrganization, {});

const organizationsOf = async ({ visitor }: { visitor: Visitor }) =>
  expectOk(await visitor.call(organizations, {})).organizations;

async function setUp() {
  const owner = await verifiedOrganizer(app);
  expectOk(await owner.visitor.call(saveAccountInfo, accountInfo));
  return { ...owner, ...(await actorOf(app.db, owner.email)) };
}

async function rowOf(organizationId: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select * from organizations where id = ${organizationId}`.execute(app.db);
  return rows[0];
}

describe('POST /api/protected/delete-organization', () => {
  it('erases the organization, and leaves each member another one [ORG-5]', async () => {
    const owner = await setUp();
    const member = await newMember(app, owner, 'editor');
    const invited = await verifiedOrganizer(app);
    const token = await sendInvitation(app, owner, { email: invited.email, role: 'viewer' });

    expectOk(await remove(owner));

    expect(await rowOf(owner.organizationId)).toMatchObject({
      name: null,
      bio: null,
      taxIdSealed: null,
      taxIdLast4: null,
      erasedAt: expect.any(Date),
    });
    expect(await organizationsOf(owner)).toMatchObject([{ name: null, role: 'owner', isThis: true }]);
    expect(expectOk(await owner.visitor.call(team, {})).members).toMatchObject([{ email: owner.email, isYou: true }]);
    expect((await member.visitor.call(profile, {})).status).toBe(401);
    await logInAgain(member);
    expect(await organizationsOf(member)).toMatchObject([{ name: null, role: 'owner' }]);
    expect(await invited.visitor.call(acceptInvitation, { token })).toMatchObject({ status: 404 });
  });

  it('acts for another organization of the person from then on [ORG-2 ORG-5]', async () => {
    const partner = await setUp();
    const { visitor, organizationId, email } = await setUp();
    const token = await sendInvitation(app, partner, { email, role: 'editor' });
    expectOk(await visitor.call(acceptInvitation, { token }));
    expectOk(await visitor.call(switchOrganization, { organizationId }));

    expectOk(await remove({ visitor }));

    expect(await organizationsOf({ visitor })).toMatchObject([
      { organizationId: partner.organizationId, isThis: true },
    ]);
  });

  it('is emailed to every member, with its name', async () => {
    const owner = await setUp();
    const member = await newMember(app, owner, 'viewer');

    expectOk(await remove(owner));

    for (const { email } of [owner, member]) {
      const [newest] = await emailsTo(app, email);
      expect(newest?.text).toContain(accountInfo.organizationName);
      expect(newest?.subject).toMatch(/organization was deleted/);
    }
  });

  it('deletes its drafts, and keeps one that was reported [ORG-5 LIFE-5]', async () => {
    const owner = await verifiedOrganizer(app);
    const tickets = [{ ticketName: 'Free', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 10 }];
    const draft = await newDraft(app, owner);
    const reported = expectOk(await owner.visitor.call(createEvent, eventForm(app, { tickets })));
    const report = {
      eventId: reported.eventId,
      reportId: crypto.randomUUID(),
      reason: 'misleading',
      text: '',
    } as const;
    expectOk(await app.call(reportEvent, report));
    expectOk(await owner.visitor.call(takeDownEvent, { eventId: reported.eventId }));
    expectOk(await uploadPhotos(owner.visitor, reported.eventId, [['1.png', await posterPhoto('one')]]));

    expectOk(await remove(owner));

    const ids = [draft.eventId, reported.eventId];
    const left = await app.db.selectFrom('events').where('id', 'in', ids).select('id').execute();
    expect(left.map(({ id }) => id)).toEqual([reported.eventId]);
    expect(await app.db.selectFrom('eventPhotos').where('eventId', 'in', ids).select('id').execute()).toEqual([]);
  });

  it('keeps the page of a past event and the ledger', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(2));
    await openPayout(app, event);
    expectOk(await event.visitor.call(requestPayout, { eventId: event.eventId }));
    await app.settle();
    const ledger = () =>
      app.db.selectFrom('ledgerEntries').where('eventId', '=', event.eventId).selectAll().orderBy('cents').execute();
    const before = await ledger();

    expectOk(await remove(event));

    expect(await ledger()).toEqual(before);
    const page = await app.call(publicEvent, { eventId: event.eventId });
    expect(page.status).toBe(200);
    expect(JSON.stringify(page.body)).not.toContain(accountInfo.organizationName);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('clears titles and texts of what its pages showed, and keeps dates, policy and prices [ORG-5 VERS-1]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await editEventOf(app, seller, { title: 'Attic Strings', venueName: 'The Attic' });
    expectOk(await seller.visitor.call(cancelEvent, { eventId }));

    expectOk(await remove(seller));

    const contents = app.db.selectFrom('eventPageContents').where('eventId', '=', eventId).select('content');
    for (const { content } of await contents.execute()) {
      expect(content).toMatchObject({ title: '', subtitle: null, description: '', street: '38 Withers St' });
      expect(content.startsAt).toMatch(/Z$/);
      expect(content.tickets).toMatchObject([
        { name: 'General admission', description: '', priceCents: 24_00 },
        { name: 'Balcony', description: '', priceCents: 38_50 },
      ]);
    }
  });

  it('is denied while an event is on sale, and not after it was cancelled', async () => {
    const event = await eventOnSale(app);
    const { organizationId } = await actorOf(app.db, event.email);

    expect(await remove(event)).toMatchObject({ status: 409, body: errorBody('deletion.event-open') });
    expect(await rowOf(organizationId)).toMatchObject({ name: accountInfo.organizationName, erasedAt: null });

    expectOk(await event.visitor.call(cancelEvent, { eventId: event.eventId }));
    expectOk(await remove(event));
  });

  it('is denied while a payout is due', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(5));
    await openPayout(app, event);

    expect(await remove(event)).toMatchObject({ status: 409, body: errorBody('deletion.not-paid-out') });
  });

  it('is denied while the money of a won dispute is due, although the payouts are held', async () => {
    await fillBalance(app);
    const event = await eventOnSale(app);
    const { eventId, visitor } = event;
    for (let order = 0; order < 2; order++) await buyTickets(app, eventId, generalAdmission(2));
    await app.settle();
    const disputeId = await disputePayment(app, eventId);
    await openPayout(app, event);
    expectOk(await visitor.call(requestPayout, { eventId }));
    await app.settle();
    const { userId } = await actorOf(app.db, event.email);
    await holdPayouts(app.db, { eventId, heldAt: app.now(), heldBy: userId, reason: 'Buyers report a fake venue.' });
    await decideDispute(app, disputeId, 'won');

    expect(await remove(event)).toMatchObject({ status: 409, body: errorBody('deletion.payout-under-way') });

    await releasePayouts(app.db, eventId);
    await sendWaitingPayouts(app.deps);
    await app.settle();
    expectOk(await remove(event));
  });

  it('is denied while the organization is suspended, as is deleting its only account [BRAKE-1]', async () => {
    const owner = await setUp();
    const reason = 'Buyers report a fake venue.';
    const suspended = { suspendedAt: app.now(), suspendedBy: owner.userId, suspendReason: reason };
    await app.db.updateTable('organizations').set(suspended).where('id', '=', owner.organizationId).execute();

    const denied = { status: 403, body: errorBody('org.suspended', { reason }) };
    expect(await remove(owner)).toMatchObject(denied);
    expect(await owner.visitor.call(deleteAccount, { password: PASSWORD })).toMatchObject(denied);
    expect(await rowOf(owner.organizationId)).toMatchObject({ name: accountInfo.organizationName, erasedAt: null });
  });

  it('is denied to an owner who was removed while the request waited', async () => {
    const owner = await setUp();
    const other = await newMember(app, owner, 'owner');
    const { userId } = await actorOf(app.db, other.email);
    const { removed } = await app.db.transaction().execute(async (tx) => {
      await sql`select from organizations where id = ${owner.organizationId} for update`.execute(tx);
      const removed = remove(other);
      await app.untilBlocked(1);
      await sql`update memberships set role = 'viewer'
                 where organization_id = ${owner.organizationId} and user_id = ${userId}`.execute(tx);
      return { removed };
    });

    expect(await removed).toMatchObject({ status: 403, body: { code: 'auth.role-denied' } });
    expect(await rowOf(owner.organizationId)).toMatchObject({ erasedAt: null });
  });

  it('wins against a simultaneous event creation, or loses', async () => {
    const organizer = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, organizer.email);
    const answers = await app.db.transaction().execute(async (tx) => {
      await sql`select from organizations where id = ${organizationId} for update`.execute(tx);
      const removed = remove(organizer);
      await app.untilBlocked(1);
      const created = organizer.visitor.call(createEvent, eventForm(app));
      await app.untilBlocked(2);
      return [removed, created] as const;
    });
    const [removed, created] = await Promise.all(answers);

    const events = app.db.selectFrom('events').where('organizationId', '=', organizationId);
    expect((await events.select('id').execute()).length).toBe(removed.status === 200 ? 0 : 1);
    expect([removed.status, created.status].filter((status) => status === 200)).toHaveLength(1);
  });

  it('of two organizations with the same members at once takes one after the other', async () => {
    const [first, second] = [await setUp(), await setUp()];
    for (const [owner, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const token = await sendInvitation(app, owner, { email: other.email, role: 'admin' });
      expectOk(await other.visitor.call(acceptInvitation, { token }));
      expectOk(await other.visitor.call(switchOrganization, { organizationId: other.organizationId }));
    }

    const userIds = [first.userId, second.userId].toSorted();
    const answers = await app.db.transaction().execute(async (tx) => {
      await sql`select from users where id = ${userIds[0]} for update`.execute(tx);
      const removed = [remove(first), remove(second)];
      await app.untilBlocked(2);
      return removed;
    });

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    for (const person of [first, second]) {
      await logInAgain(person);
      expect(await organizationsOf(person)).toMatchObject([{ name: null, role: 'owner' }]);
    }
  });
});

describe('a restored backup', () => {
  it('excludes organizations deleted since then, and keeps their people [ORG-5]', async () => {
    const owner = await setUp();
    const backup = await backUpAccount(app.db, owner.email);
    expectOk(await remove(owner));
    // The backup predates the deletion: it has the organization, and no record of its deletion.
    await sql`delete from erasures`.execute(app.db);
    await backup.restore();
    expect(await rowOf(owner.organizationId)).toMatchObject({ name: accountInfo.organizationName });

    await replayErasures(app.deps);

    expect(await rowOf(owner.organizationId)).toMatchObject({ name: null, erasedAt: expect.any(Date) });
    await logInAgain(owner);
    expect(await organizationsOf(owner)).toMatchObject([{ name: null, role: 'owner' }]);
  });
});
