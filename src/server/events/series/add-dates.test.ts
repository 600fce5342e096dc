/** Dates that are added to an event: what each has, what denies them, and what they take of the plan. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { cancelEvent, createEvent, editEvent } from '#contract/app/events.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { deleteDraft, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { COMING_DATES_MAX, DATES_PER_CALL_MAX, DRAFTS_MAX } from '#domain/limits.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { dayOfClockChange } from '#tests/support/clock-changes.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { eveningIn, noonIn } from '#tests/support/local-days.ts';
import { advanceTo } from '#tests/support/money.ts';
import {
  buyTickets,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  onboardedOrganizer,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Pick<Awaited<ReturnType<typeof eventOnSale>>, 'visitor' | 'eventId'>;

const ZONE = 'America/New_York';
const HOUR = 3_600_000;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const eventRow = (eventId: string) =>
  app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();

/** Local starts, so many days after the event, at its local time. */
async function daysAfter(eventId: string, ...days: number[]): Promise<string[]> {
  const { startsAt } = await eventRow(eventId);
  const local = Date.parse(`${localTimeOf(startsAt, ZONE)}Z`);
  return days.map((day) => new Date(local + day * 24 * HOUR).toISOString().slice(0, 16));
}

const inDays = (days: number) => noonIn(app.now(), days);

const skippedTime = () => `${dayOfClockChange(app.now(), 'skipped')}T02:30`;

/** In the evening, so that no clock change touches its further dates. */
const onSale = () => eventOnSale(app, eveningIn(app.now(), 1));
const draft = (person: Parameters<typeof newDraft>[1]) => newDraft(app, person, eveningIn(app.now(), 1));

const add = async ({ visitor, eventId }: Seller, days: readonly number[], requestId = randomUUID()) =>
  visitor.call(addDates, { eventId, dates: await daysAfter(eventId, ...days), requestId });

const weeks = (count: number) => Array.from({ length: count }, (_, index) => (index + 1) * 7);

describe('added dates', () => {
  it('are events of their own, published like their event, with everything but its sales [SERIES-1] [SERIES-2]', async () => {
    const start = new Date(app.now().getTime() + 26 * HOUR);
    const at = (hours: number) => localTimeOf(new Date(start.getTime() + hours * HOUR), ZONE);
    const [first = { ticketName: '', ticketDescription: '', ticketPrice: 1, ticketQuantity: 1 }] =
      eventForm(app).tickets;
    const seller = await eventOnSale(app, {
      startDate_startTime: at(0),
      endDate_endTime: at(3),
      salesStart: at(-25),
      useWaitingRoom: true,
      buyersPerMinute: 60,
      checkInOpens: at(-2),
      checkInCloses: at(4),
      tickets: [{ ...first, salesUntil: at(-1) }],
    });
    await askBuyers(seller, { asksNames: 'optional', questions: [questionForm('Meal')] });
    await uploadPhotos(seller.visitor, seller.eventId, [['1.png', await posterPhoto('one')]]);

    const reply = expectOk(await add(seller, [7, 14]));

    expect(reply.dates.map(({ denial }) => denial)).toEqual([null, null]);
    expect(reply.eventIds).toHaveLength(2);
    const [source, ...dates] = await Promise.all([seller.eventId, ...reply.eventIds].map(eventRow));
    expect(source).toMatchObject({ seriesId: reply.seriesId, isPublished: true, subtitle: null });
    const local = (time: Date | null) => time && localTimeOf(time, ZONE);
    const byWallClock = (time: Date | null | undefined) => Date.parse(`${local(time ?? null)}Z`);
    for (const [index, date] of dates.entries()) {
      const [startsAt] = await daysAfter(seller.eventId, (index + 1) * 7);
      expect(local(date.startsAt)).toBe(startsAt);
      expect(date).toMatchObject({ seriesId: reply.seriesId, isPublished: true, title: source?.title, formVersion: 1 });
      expect(date.attendantCode).not.toBe(source?.attendantCode);
      for (const time of ['endsAt', 'salesStartAt', 'checkInOpensAt', 'checkInClosesAt'] as const)
        expect(byWallClock(date[time]) - byWallClock(date.startsAt)).toBe(
          byWallClock(source?.[time]) - byWallClock(source?.startsAt),
        );
    }
    const [second = ''] = reply.eventIds;
    const type = await app.db.selectFrom('ticketTypes').where('eventId', '=', second).selectAll().executeTakeFirst();
    expect(byWallClock(dates[0]?.startsAt) - byWallClock(type?.salesUntil)).toBe(HOUR);
    const room = await app.db.selectFrom('waitingRooms').where('eventId', '=', second).selectAll().execute();
    expect(room).toHaveLength(1);
    expect(await app.db.selectFrom('eventPhotos').where('eventId', '=', second).selectAll().execute()).toHaveLength(1);
  });

  it('sell, refund and close for themselves [SERIES-2]', async () => {
    const seller = await onSale();
    const { eventIds } = expectOk(await add(seller, weeks(2)));
    const [second = '', third = ''] = eventIds;

    await buyTickets(app, second, generalAdmission(2));
    expectOk(await seller.visitor.call(cancelEvent, { eventId: third }));

    const { events } = expectOk(await seller.visitor.call(profile, {}));
    const standing = new Map(events.map((event) => [event.eventId, [event.ticketsSold, event.isCancelled]]));
    expect(standing.get(seller.eventId)).toEqual([0, false]);
    expect(standing.get(second)).toEqual([2, false]);
    expect(standing.get(third)).toEqual([0, true]);
  });

  it('of a draft are drafts, which count once [SERIES-1]', async () => {
    const person = await verifiedOrganizer(app);
    const { eventId } = await draft(person);
    const { eventIds } = expectOk(await add({ ...person, eventId }, weeks(DATES_PER_CALL_MAX - 10)));

    expect(eventIds).toHaveLength(DATES_PER_CALL_MAX - 10);
    expect((await eventRow(eventIds[0] ?? '')).isPublished).toBe(false);
    for (let left = DRAFTS_MAX - 1; left > 0; left -= 1) await newDraft(app, person);
    expect(code(await person.visitor.call(createEvent, { ...eventForm(app), isDraft: true }))).toEqual([
      409,
      'event.too-many-drafts',
    ]);
    expectOk(await add({ ...person, eventId }, [3]));
  });

  it('are made once for a request that is repeated, also at the same instant [SERIES-1]', async () => {
    const seller = await onSale();
    const { organizationId } = await actorOf(app.db, seller.email);
    const requestId = randomUUID();

    const { sent } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const sent = [1, 2, 3].map(() => add(seller, weeks(3), requestId));
      await app.untilBlocked(2);
      return { sent };
    });
    const answers = await Promise.all(sent);

    const made = new Set(answers.map((answer) => expectOk(answer).eventIds.join()));
    expect(made.size).toBe(1);
    const events = await app.db
      .selectFrom('events')
      .where('organizationId', '=', organizationId)
      .select('id')
      .execute();
    expect(events).toHaveLength(4);
    expect(expectOk(await add(seller, weeks(3), requestId)).dates).toHaveLength(3);
  });

  it('have another subtitle each, which an edit of their form sets [SERIES-7]', async () => {
    const seller = await onSale();
    const [eventId = ''] = expectOk(await add(seller, [7])).eventIds;
    const edit = (subtitle?: string) =>
      seller.visitor.call(editEvent, { ...eventForm(app), ...(subtitle !== undefined && { subtitle }), eventId });

    expectOk(await edit('With Ana on drums'));
    expect([(await eventRow(eventId)).subtitle, (await eventRow(seller.eventId)).subtitle]).toEqual([
      'With Ana on drums',
      null,
    ]);
    expectOk(await edit());
    expect((await eventRow(eventId)).subtitle).toBe('With Ana on drums');
    expectOk(await edit(' '));
    expect((await eventRow(eventId)).subtitle).toBeNull();
    expect(await edit('x'.repeat(51))).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params: { reason: 'subtitle.too-long' } },
    });
  });

  it('can follow an event that has ended, not one that was cancelled [SERIES-1]', async () => {
    const seller = await onSale();
    await advanceTo(app, new Date(app.now().getTime() + 48 * HOUR));
    await logInAgain(seller);
    const [next = ''] = expectOk(await add(seller, [14])).eventIds;
    expectOk(await seller.visitor.call(cancelEvent, { eventId: next }));

    expect(code(await add({ ...seller, eventId: next }, [7]))).toEqual([409, 'series.cancelled']);
  });
});

describe('a date', () => {
  it.each<[string, () => string[], number, string]>([
    ['twice', () => [inDays(50), inDays(50)], 400, 'series.date-twice'],
    ['in the skipped hour', () => [skippedTime()], 400, 'time.skipped-hour'],
    ['in the past', () => ['2020-01-15T20:00'], 400, 'series.in-past'],
    ['400 days ahead', () => [inDays(400)], 400, 'series.too-far'],
    ['that is none', () => ['tomorrow'], 400, 'series.malformed'],
    [
      'beyond the most of one call',
      () => Array.from({ length: DATES_PER_CALL_MAX }, () => 'any'),
      400,
      'series.too-many-dates',
    ],
  ])('%s is denied, and none is made [SERIES-1] [SERIES-3]', async (_name, wrong, status, denial) => {
    const { eventId, visitor } = await onSale();
    const dates = [inDays(40), ...wrong()];

    expect(code(await visitor.call(addDates, { eventId, dates, requestId: randomUUID() }))).toEqual([status, denial]);

    expect((await eventRow(eventId)).seriesId).toBeNull();
  });

  it('is named with its reason before anything is made [SERIES-1] [SERIES-3]', async () => {
    const { eventId, visitor } = await onSale();
    const [own = ''] = await daysAfter(eventId, 0);
    const dates = [inDays(50), skippedTime(), own, inDays(50)];

    const reply = expectOk(await visitor.call(addDates, { eventId, dates, requestId: randomUUID(), dryRun: true }));

    expect(reply.dates.map(({ start, denial }) => [start, denial])).toEqual([
      [inDays(50), null],
      [skippedTime(), 'skipped-hour'],
      [own, 'date-twice'],
      [inDays(50), 'date-twice'],
    ]);
    expect(reply).toMatchObject({ eventIds: [], seriesId: null });
    expect((await eventRow(eventId)).seriesId).toBeNull();
  });

  it('is one of 200 coming ones at most [SERIES-1]', async () => {
    const person = await verifiedOrganizer(app);
    const { eventId } = await draft(person);
    const seller = { ...person, eventId };
    expectOk(await add(seller, [1]));
    const { startsAt } = await eventRow(eventId);
    await copiesOfEvent(
      app.db,
      eventId,
      COMING_DATES_MAX - 3,
      (index) => new Date(startsAt.getTime() + (index + 2) * 60_000),
    );

    expect(code(await add(seller, [2, 3]))).toEqual([409, 'series.too-many-coming']);
    expectOk(await add(seller, [2]));
  });
});

describe('a series', () => {
  it('takes one place in the plan, however many dates are active [SERIES-4]', async () => {
    const seller = await onSale();
    const { eventIds } = expectOk(await add(seller, weeks(29)));
    expect(eventIds).toHaveLength(29);

    expectOk(await seller.visitor.call(createEvent, eventForm(app)));

    expect(code(await seller.visitor.call(createEvent, eventForm(app)))).toEqual([409, 'event.too-many-active-events']);
    expectOk(await add(seller, [300]));
  });

  it('takes its place again when a date is added after its last one [SERIES-4]', async () => {
    const seller = await onSale();
    expectOk(await add(seller, [1]));
    await advanceTo(app, new Date(app.now().getTime() + 4 * 24 * HOUR));
    await logInAgain(seller);
    for (const title of ['One', 'Two']) expectOk(await seller.visitor.call(createEvent, eventForm(app, { title })));

    expect(code(await add(seller, [14]))).toEqual([409, 'event.too-many-active']);
    // An edit revives no date beyond the plan either.
    const revived = { ...eventForm(app), eventId: seller.eventId };
    expect(code(await seller.visitor.call(editEvent, revived))).toEqual([409, 'event.too-many-active-events']);
  });

  it('gives the last place to one of two drafts that are published at the same instant [SERIES-4]', async () => {
    const seller = await onSale();
    const { organizationId } = await actorOf(app.db, seller.email);
    const alone = await newDraft(app, seller);
    const { eventId } = await newDraft(app, seller);
    expectOk(await add({ ...seller, eventId }, weeks(2)));

    const { sent } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const sent = [
        seller.visitor.call(publishEvent, { eventId: alone.eventId }),
        seller.visitor.call(publishEvent, { eventId, allDates: true }),
      ];
      await app.untilBlocked(2);
      return { sent };
    });

    expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is published date by date, or with all its drafts in one place of the plan [SERIES-4]', async () => {
    const seller = await onboardedOrganizer(app);
    const { eventId } = await newDraft(app, seller);
    const { eventIds } = expectOk(await add({ ...seller, eventId }, weeks(3)));
    const [second = '', third = ''] = eventIds;
    const published = async () =>
      (await Promise.all([eventId, ...eventIds].map(eventRow))).map(({ isPublished }) => isPublished);

    expectOk(await seller.visitor.call(publishEvent, { eventId: second }));
    expect(await published()).toEqual([false, true, false, false]);
    await app.db
      .updateTable('events')
      .set({ startsAt: new Date(app.now().getTime() - HOUR) })
      .where('id', '=', third)
      .execute();
    expect(code(await seller.visitor.call(publishEvent, { eventId, allDates: true }))).toEqual([400, 'series.in-past']);
    expect(await published()).toEqual([false, true, false, false]);

    expectOk(await seller.visitor.call(deleteDraft, { eventId: third }));
    expectOk(await seller.visitor.call(publishEvent, { eventId, allDates: true }));
    expect(
      (await Promise.all([eventId, second, eventIds[2] ?? ''].map(eventRow))).every((row) => row.isPublished),
    ).toBe(true);
    expectOk(await seller.visitor.call(takeDownEvent, { eventId: second }));
    expectOk(await seller.visitor.call(publishEvent, { eventId: second }));
  });
});

describe('a fee waiver of a series', () => {
  const waived = async (eventIds: readonly string[]) =>
    (await Promise.all(eventIds.map(eventRow))).map(({ processingFeeWaived }) => processingFeeWaived);

  async function seriesWithWaiver() {
    const seller = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, seller.email);
    await app.db.updateTable('organizations').set({ feeWaivers: 2 }).where('id', '=', organizationId).execute();
    const { eventId } = expectOk(await seller.visitor.call(createEvent, eventForm(app)));
    const { eventIds } = expectOk(await add({ ...seller, eventId }, weeks(2)));
    const left = async () =>
      app.db.selectFrom('organizations').where('id', '=', organizationId).select('feeWaivers').executeTakeFirst();
    return { ...seller, eventId, dates: [eventId, ...eventIds], left };
  }

  it('is one for all its dates, and moves on when its date is cancelled [SERIES-7]', async () => {
    const series = await seriesWithWaiver();
    await app.settle();
    expect([await waived(series.dates), await series.left()]).toEqual([[true, false, false], { feeWaivers: 1 }]);

    expectOk(await series.visitor.call(cancelEvent, { eventId: series.eventId }));
    await app.settle();
    expect(await waived(series.dates)).toEqual([false, true, false]);

    expectOk(await series.visitor.call(cancelEvent, { eventId: series.dates[2] ?? '' }));
    await app.settle();
    expect(await waived(series.dates)).toEqual([false, true, false]);
  });

  it('waits at a series without dates for the next one [SERIES-7]', async () => {
    const series = await seriesWithWaiver();
    for (const eventId of series.dates) expectOk(await series.visitor.call(cancelEvent, { eventId }));
    await app.settle();
    expect((await waived(series.dates)).filter(Boolean)).toHaveLength(1);
  });
});
