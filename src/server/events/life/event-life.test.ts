/** Drafts: what they take, what publishing checks, and how they are deleted. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportEvent } from '#contract/app/abuse-reports.ts';
import { profile } from '#contract/app/accounts.ts';
import { generateCode } from '#contract/app/affiliates.ts';
import { cancelEvent, createEvent, editEvent, publicEvent } from '#contract/app/events.ts';
import { addComps } from '#contract/app/sales/comps.ts';
import { deleteDraft, duplicateEvent, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { DRAFTS_MAX } from '#domain/limits.ts';
import { localTimeOf } from '#domain/local-time.ts';
import type { Db } from '#server/platform/database.ts';
import { newId, newPublicId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  buyTickets,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  onboardedOrganizer,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Person = Awaited<ReturnType<typeof newOrganizer>>;

const ownEvents = async ({ visitor }: Pick<Person, 'visitor'>) => expectOk(await visitor.call(profile, {})).events;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const eventRow = (eventId: string) =>
  app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();

describe('a draft', () => {
  it('needs a verified address only, whatever its tickets cost [LIFE-4]', async () => {
    const stranger = await newOrganizer(app);
    const draft = { ...eventForm(app), isDraft: true };

    expect(code(await stranger.visitor.call(createEvent, draft))).toEqual([403, 'auth.email-unverified']);
    const person = await verifiedOrganizer(app);
    const reply = expectOk(await person.visitor.call(createEvent, draft));

    expect(reply).toMatchObject({ attendantCode: '', feeWaiveStatus: false });
    const [shown] = await ownEvents(person);
    expect(shown).toMatchObject({ eventId: reply.eventId, isDraft: true, attendantId: null });
    expect(code(await person.visitor.call(publishEvent, { eventId: reply.eventId }))).toEqual([
      403,
      'onboarding.incomplete',
    ]);
  });

  it("without a price is published with a verified address, and its code is the organizer's from then on [LIFE-4]", async () => {
    const person = await verifiedOrganizer(app);
    const tickets = [{ ticketName: 'Free', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 10 }];
    const { eventId, eventUrl } = await newDraft(app, person, { tickets });

    const reply = expectOk(await person.visitor.call(publishEvent, { eventId }));

    expect(reply).toEqual({ eventId, eventUrl, attendantCode: expect.any(String), feeWaiveStatus: false });
    expect(await ownEvents(person)).toMatchObject([{ eventId, isDraft: false, attendantId: reply.attendantCode }]);
    expect((await app.call(publicEvent, { eventId })).status).toBe(200);
  });

  it('does not count toward the plan, and is sorted with the active events [LIFE-6]', async () => {
    const seller = await eventOnSale(app);
    const drafts = [await newDraft(app, seller), await newDraft(app, seller), await newDraft(app, seller)];

    const second = expectOk(await seller.visitor.call(createEvent, eventForm(app)));

    const [third] = drafts;
    expect(code(await seller.visitor.call(publishEvent, { eventId: third?.eventId ?? '' }))).toEqual([
      409,
      'event.too-many-active',
    ]);
    expect((await ownEvents(seller)).map(({ eventId }) => eventId)).toEqual([
      second.eventId,
      ...drafts.map(({ eventId }) => eventId).reverse(),
      seller.eventId,
    ]);
  });

  it('may start in the past, and is published only once it does not', async () => {
    const seller = await onboardedOrganizer(app);
    const at = (hours: number) => localTimeOf(new Date(app.now().getTime() + hours * 3_600_000), 'America/New_York');
    const past = { startDate_startTime: at(-3), endDate_endTime: at(-1) };
    const { eventId } = await newDraft(app, seller, past);

    expect(code(await seller.visitor.call(publishEvent, { eventId }))).toEqual([409, 'event.start-in-past']);
    const coming = { ...eventForm(app), startDate_startTime: at(3), endDate_endTime: at(5) };
    expectOk(await seller.visitor.call(editEvent, { ...coming, eventId }));
    expectOk(await seller.visitor.call(publishEvent, { eventId }));
  });

  it('may get its first price before onboarding [LIFE-4]', async () => {
    const person = await verifiedOrganizer(app);
    const tickets = [{ ticketName: 'Free', ticketDescription: 'x', ticketPrice: 0, ticketQuantity: 10 }];
    const { eventId } = await newDraft(app, person, { tickets });

    expect((await person.visitor.call(editEvent, { ...eventForm(app), eventId })).status).toBe(200);
    expect(code(await person.visitor.call(publishEvent, { eventId }))).toEqual([403, 'onboarding.incomplete']);
  });

  it('takes the fees of the plan, the waiver and the affiliate code when it is published', async () => {
    const referrer = await onboardedOrganizer(app);
    expectOk(await referrer.visitor.call(generateCode, {}));
    const affiliateCode = expectOk(await referrer.visitor.call(profile, {})).affiliateCode ?? '';
    const seller = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, seller.email);
    await app.db.updateTable('organizations').set({ feeWaivers: 1 }).where('id', '=', organizationId).execute();
    const waivers = async () =>
      (
        await app.db
          .selectFrom('organizations')
          .where('id', '=', organizationId)
          .select('feeWaivers')
          .executeTakeFirst()
      )?.feeWaivers;

    const { eventId } = await newDraft(app, seller, { affiliateCode });
    const before = await eventRow(eventId);
    expect([before.processingFeeWaived, await waivers()]).toEqual([false, 1]);
    await app.db
      .updateTable('events')
      .set({ feeTerms: JSON.stringify({ ...before.feeTerms, processingCents: 1 }) })
      .execute();
    const wrong = await seller.visitor.call(publishEvent, { eventId, affiliateCode: 'UNKNOWN' });
    const reply = expectOk(await seller.visitor.call(publishEvent, { eventId, affiliateCode }));

    expect(code(wrong)).toEqual([409, 'event.unknown-affiliate-code']);
    expect([reply.feeWaiveStatus, await waivers()]).toEqual([true, 1]);
    expect((await eventRow(eventId)).feeTerms).toEqual(before.feeTerms);
  });

  it.each([
    ['cancelled', (visitor: Person['visitor'], eventId: string) => visitor.call(cancelEvent, { eventId })],
    [
      'given away',
      (visitor: Person['visitor'], eventId: string) =>
        visitor.call(addComps, {
          eventId,
          compsId: randomUUID(),
          guests: [{ ticketId: randomUUID(), quantity: 1, name: 'Ada' }],
        }),
    ],
  ])('is not %s', async (_what, act) => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);

    expect(code(await act(seller.visitor, eventId))).toEqual([409, 'event.is-draft']);
  });

  it(`is one of ${DRAFTS_MAX} at most`, async () => {
    const seller = await eventOnSale(app);
    const { eventId } = await newDraft(app, seller);
    await copyRows(app.db, eventId, DRAFTS_MAX - 1);
    const duplicate = { eventId, duplicateId: randomUUID() };

    const answers = [
      await seller.visitor.call(createEvent, { ...eventForm(app), isDraft: true }),
      await seller.visitor.call(duplicateEvent, duplicate),
      await seller.visitor.call(takeDownEvent, { eventId: seller.eventId }),
    ];

    expect(answers.map(code)).toEqual(answers.map(() => [409, 'event.too-many-drafts']));
    expectOk(await seller.visitor.call(deleteDraft, { eventId }));
    expectOk(await seller.visitor.call(createEvent, { ...eventForm(app), isDraft: true }));
  });

  it('can have no orders, by a rule of the database', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = await newDraft(app, seller);
    const take = app.db.updateTable('ticketTypes').set({ reserved: 1 }).where('eventId', '=', eventId).execute();
    await expect(take).rejects.toThrow('drafts_sell_nothing');

    await buyTickets(app, seller.eventId, generalAdmission(1));
    const hide = () =>
      app.db.updateTable('events').set({ publishedAt: null }).where('id', '=', seller.eventId).execute();
    await expect(hide()).rejects.toThrow(/drafts_sell_nothing|has orders/);
  });
});

/** Drafts of the same organization. */
async function copyRows(db: Db, eventId: string, count: number): Promise<void> {
  const {
    isPublished: _isPublished,
    latestStartsAt: _latestStartsAt,
    latestEndsAt: _latestEndsAt,
    pausedSales: _pausedSales,
    feeTerms,
    ...row
  } = await eventRow(eventId);
  const copies = Array.from({ length: count }, () => ({
    ...row,
    feeTerms: JSON.stringify(feeTerms),
    id: newPublicId(),
    recordId: newId(),
  }));
  await db.insertInto('events').values(copies).execute();
}

describe('publishing', () => {
  it('twice answers the same, and takes one place of the plan [LIFE-4]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);

    const first = expectOk(await seller.visitor.call(publishEvent, { eventId }));
    const second = expectOk(await seller.visitor.call(publishEvent, { eventId }));

    expect(second).toEqual(first);
    expectOk(await seller.visitor.call(createEvent, eventForm(app)));
  });

  it('the last place of the plan succeeds for one of two events [LIFE-6]', async () => {
    const seller = await eventOnSale(app);
    const { organizationId } = await actorOf(app.db, seller.email);
    const drafts = [await newDraft(app, seller), await newDraft(app, seller)];

    const { answers } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const sent = drafts.map(({ eventId }) => seller.visitor.call(publishEvent, { eventId }));
      await app.untilBlocked(2);
      return { answers: sent };
    });

    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('of a foreign or unknown event finds nothing', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);
    const { visitor } = await onboardedOrganizer(app);
    const answers = [
      await visitor.call(publishEvent, { eventId }),
      await visitor.call(takeDownEvent, { eventId }),
      await visitor.call(duplicateEvent, { eventId, duplicateId: randomUUID() }),
      await visitor.call(deleteDraft, { eventId }),
      await visitor.call(publishEvent, { eventId: newPublicId() }),
    ];
    expect(answers.map(code)).toEqual(answers.map(() => [404, 'event.not-found']));
  });
});

describe('deleting a draft', () => {
  it('deletes all of it, and no published event [LIFE-5]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = await newDraft(app, seller);

    expect(code(await seller.visitor.call(deleteDraft, { eventId: seller.eventId }))).toEqual([
      409,
      'event.is-published',
    ]);
    expectOk(await seller.visitor.call(deleteDraft, { eventId }));

    expect(code(await seller.visitor.call(deleteDraft, { eventId }))).toEqual([404, 'event.not-found']);
    expect((await ownEvents(seller)).map((event) => event.eventId)).toEqual([seller.eventId]);
  });

  it('takes it from members who were given it', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = await newDraft(app, seller);
    const { visitor } = await newMember(app, seller, 'editor', [seller.eventId, eventId]);

    expectOk(await visitor.call(deleteDraft, { eventId }));

    expect(expectOk(await visitor.call(profile, {})).access.onlyEventIds).toEqual([seller.eventId]);
  });

  it('is refused once the event was reported', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    expectOk(await app.call(reportEvent, { eventId, reportId: randomUUID(), reason: 'misleading', text: 'Fake.' }));
    expectOk(await seller.visitor.call(takeDownEvent, { eventId }));

    expect(code(await seller.visitor.call(deleteDraft, { eventId }))).toEqual([409, 'event.under-review']);
  });

  it('keeps a waiver for the next event', async () => {
    const seller = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, seller.email);
    await app.db.updateTable('organizations').set({ feeWaivers: 1 }).where('id', '=', organizationId).execute();
    const { eventId } = expectOk(await seller.visitor.call(createEvent, eventForm(app)));
    expectOk(await seller.visitor.call(takeDownEvent, { eventId }));
    expectOk(await seller.visitor.call(deleteDraft, { eventId }));

    expect(expectOk(await seller.visitor.call(createEvent, eventForm(app))).feeWaiveStatus).toBe(true);
  });
});

it('leaves the ledger and the stock as they must be', async () => {
  expect(await brokenInvariants(app.db)).toEqual([]);
});
