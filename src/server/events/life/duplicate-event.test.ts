/** What a copy of an event has, and what it doesn't. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent, editEvent, eventTickets } from '#contract/app/events.ts';
import { arrangePhotos, deletePhotos } from '#contract/app/photos.ts';
import { deleteDraft, duplicateEvent, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { eventGuestForm } from '#contract/app/sales/guest-forms.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { addDays } from '#domain/sales/sales-days.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { dayOfClockChange } from '#tests/support/clock-changes.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { attendantOf, buyTickets, eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { shareCapacity } from '#tests/support/share-capacity.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { uploadPhotos } from '#tests/support/upload-photos.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const ZONE = 'America/New_York';
const WEEK = 7 * 24 * 3_600_000;

async function duplicate({ visitor, eventId }: Pick<Seller, 'visitor' | 'eventId'>, duplicateId = randomUUID()) {
  return expectOk(await visitor.call(duplicateEvent, { eventId, duplicateId })).eventId;
}

async function rowsOf(eventId: string) {
  const of = <
    Table extends
      | 'ticketTypes'
      | 'eventPhotos'
      | 'sharedCapacities'
      | 'sharedCapacityMembers'
      | 'promoCodes'
      | 'checkInDevices',
  >(
    table: Table,
  ) =>
    app.db
      .selectFrom(table as 'ticketTypes')
      .where('eventId', '=', eventId)
      .selectAll()
      .execute();
  return {
    event: await app.db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow(),
    types: (await of('ticketTypes')).toSorted((one, other) => one.position - other.position),
    photos: await app.db
      .selectFrom('eventPhotos')
      .where('eventId', '=', eventId)
      .selectAll()
      .orderBy('position')
      .execute(),
    capacities: await app.db.selectFrom('sharedCapacities').where('eventId', '=', eventId).selectAll().execute(),
    promoCodes: await app.db.selectFrom('promoCodes').where('eventId', '=', eventId).selectAll().execute(),
    devices: await app.db.selectFrom('checkInDevices').where('eventId', '=', eventId).selectAll().execute(),
  };
}

const without = <Row extends object>(row: Row, ...columns: (keyof Row)[]) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !columns.some((one) => one === column)));

/** An event with most fields set, and photos. All columns of a ticket type: tests/house/ticket-type-columns.test.ts. */
async function fullEvent(): Promise<Seller> {
  const form = eventForm(app);
  const start = new Date(app.now().getTime() + 26 * 3_600_000);
  const at = (ms: number) => localTimeOf(new Date(start.getTime() + ms), ZONE);
  const [first, second] = form.tickets;
  const tickets = [
    {
      ...first,
      ticketName: 'General admission',
      ticketDescription: 'x',
      ticketPrice: 24,
      ticketQuantity: 100,
      maxPerOrder: '8',
      salesFrom: at(-30 * 3_600_000),
      salesUntil: at(0),
    },
    {
      ...second,
      ticketName: 'Late',
      ticketDescription: 'y',
      ticketPrice: 10,
      ticketQuantity: 50,
      hasNamedPrice: true,
      suggestedPrice: 20,
      opensAfter: 'General admission',
    },
    { ticketName: 'Secret', ticketDescription: 'z', ticketPrice: 5, ticketQuantity: 20, isHidden: true },
    { ticketName: 'Shirt', ticketDescription: 'M', ticketPrice: 15, ticketQuantity: 30, isAddOn: true },
    {
      ticketName: 'Wheelchair',
      ticketDescription: 'w',
      ticketPrice: 0,
      ticketQuantity: 4,
      access: 'companion' as const,
    },
  ];
  const seller = await eventOnSale(app, {
    tickets,
    startDate_startTime: at(0),
    endDate_endTime: at(3 * 3_600_000),
    salesStart: at(-25 * 3_600_000),
    useWaitingRoom: true,
    buyersPerMinute: 60,
    checkInOpens: at(-2 * 3_600_000),
    checkInCloses: at(3 * 3_600_000),
    maxPerOrder: '12',
  });
  await askBuyers(seller, { asksNames: 'optional', questions: [questionForm('Meal', { isShownAtDoor: true })] });
  await shareCapacity(seller, { name: 'Hall', capacity: 90, units: { 'General admission': 1, Late: 1 } });
  await uploadPhotos(seller.visitor, seller.eventId, [
    ['1.png', await posterPhoto('one')],
    ['2.png', await posterPhoto('two')],
  ]);
  return seller;
}

describe('a copy', () => {
  it('has every field but the dates, the sales, the codes and the devices, as a draft [LIFE-7]', async () => {
    const seller = await fullEvent();
    const { eventId, visitor } = seller;
    await newPromoCode(seller, promoForm('SPRING'));
    await attendantOf(app, eventId, seller.attendantCode);
    const copyId = await duplicate(seller);
    const [original, copy] = [await rowsOf(eventId), await rowsOf(copyId)];

    const byWallClock = (time: Date | null | undefined) => (time ? Date.parse(`${localTimeOf(time, ZONE)}Z`) : NaN);
    const later = byWallClock(copy.event.startsAt) - byWallClock(original.event.startsAt);
    expect(later % WEEK).toBe(0);
    const dates = [
      'startsAt',
      'endsAt',
      'latestStartsAt',
      'latestEndsAt',
      'salesStartAt',
      'checkInOpensAt',
      'checkInClosesAt',
    ] as const;
    for (const date of dates) expect(byWallClock(copy.event[date])).toBe(byWallClock(original.event[date]) + later);
    const own = [
      'id',
      'recordId',
      'attendantCode',
      'createdAt',
      'publishedAt',
      'isPublished',
      'duplicateId',
      'pageVersion',
    ] as const;
    expect(without(copy.event, ...dates, ...own)).toEqual(without(original.event, ...dates, ...own));
    expect(copy.event).toMatchObject({
      publishedAt: null,
      pageVersion: 0,
      hasDoorNotes: true,
      processingFeeWaived: false,
    });
    expect(copy.event.attendantCode).not.toBe(original.event.attendantCode);

    const ofType = ['eventId', 'id', 'isPublished', 'salesFrom', 'salesUntil', 'opensAfter', 'openedAt'] as const;
    expect(copy.types.map((type) => without(type, ...ofType))).toEqual(
      original.types.map((type) => ({ ...without(type, ...ofType), reserved: 0, available: type.quantity })),
    );
    expect(byWallClock(copy.types[0]?.salesUntil)).toBe(byWallClock(original.types[0]?.salesUntil) + later);
    expect(copy.types[1]?.opensAfter).toBe(copy.types[0]?.id);
    expect(copy.photos.map(({ fileName, position }) => [fileName, position])).toEqual(
      original.photos.map(({ fileName, position }) => [fileName, position]),
    );
    expect([copy.promoCodes, copy.devices]).toEqual([[], []]);

    const screens = [eventId, copyId].map(async (id) => ({
      tickets: expectOk(await visitor.call(eventTickets, { eventId: id })).sharedCapacities.map((one) =>
        without(one, 'capacityId'),
      ),
      form: expectOk(await visitor.call(eventGuestForm, { eventId: id })),
    }));
    const [before, after] = await Promise.all(screens);
    expect(after).toEqual(before);
  });

  it('keeps the local times of its sales over a clock change [LIFE-7]', async () => {
    const change = dayOfClockChange(app.now(), 'skipped', 16);
    const [first = { ticketName: '', ticketDescription: '', ticketPrice: 1, ticketQuantity: 1 }] =
      eventForm(app).tickets;
    const seller = await eventOnSale(app, {
      startDate_startTime: `${addDays(change, -6)}T20:00`,
      endDate_endTime: `${addDays(change, -6)}T23:00`,
      tickets: [{ ...first, salesUntil: `${addDays(change, -8)}T10:00` }],
    });

    const { event, types } = await rowsOf(await duplicate(seller));

    expect(localTimeOf(event.startsAt, ZONE)).toBe(`${addDays(change, 1)}T20:00`);
    expect(localTimeOf(types[0]?.salesUntil ?? event.startsAt, ZONE)).toBe(`${addDays(change, -1)}T10:00`);
  });

  it('is one draft for ten requests at once [LIFE-7]', async () => {
    const seller = await eventOnSale(app);
    const { organizationId } = await actorOf(app.db, seller.email);
    const duplicateId = randomUUID();

    const { answers } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('organizations').where('id', '=', organizationId).select('id').forUpdate().execute();
      const sent = Array.from({ length: 10 }, () => duplicate(seller, duplicateId));
      await app.untilBlocked(2);
      return { answers: sent };
    });

    const copies = new Set(await Promise.all(answers));
    const drafts = app.db
      .selectFrom('events')
      .where('organizationId', '=', organizationId)
      .where('isPublished', '=', false);
    expect((await drafts.select('id').execute()).map(({ id }) => id)).toEqual([...copies]);
    expect(await duplicate(seller)).not.toBe([...copies][0]);
  });

  it('is made of an event that has ended or was cancelled, and can be edited and published at once [LIFE-7]', async () => {
    const seller = await eventOnSale(app);
    await buyTickets(app, seller.eventId, generalAdmission(2));
    expectOk(await seller.visitor.call(cancelEvent, { eventId: seller.eventId }));
    const copyId = await duplicate(seller);

    expectOk(await seller.visitor.call(editEvent, { ...eventForm(app, { title: 'Next time' }), eventId: copyId }));
    expectOk(await seller.visitor.call(publishEvent, { eventId: copyId }));

    await buyTickets(app, copyId, generalAdmission(1));
  });

  it('keeps its photos when the original goes, and the other way round [LIFE-7]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    const uploaded = expectOk(
      await uploadPhotos(visitor, eventId, [
        ['1.png', await posterPhoto('one')],
        ['2.png', await posterPhoto('two')],
      ]),
    );
    const [first = '', second = ''] = uploaded.eventPhotos;
    const files = async () => (await readdir(app.photoFolder)).length;
    const before = await files();
    const copyId = await duplicate(seller);

    expectOk(await visitor.call(deletePhotos, { eventId, photosToDelete: [first] }));
    expectOk(await visitor.call(takeDownEvent, { eventId }));
    expectOk(await visitor.call(deleteDraft, { eventId }));
    expect(await files()).toBe(before);
    expectOk(await visitor.call(publishEvent, { eventId: copyId }));
    for (const url of [first, second]) expect((await app.visitor().fetch(new URL(url).pathname)).status).toBe(200);

    expectOk(await visitor.call(takeDownEvent, { eventId: copyId }));
    expectOk(await visitor.call(deleteDraft, { eventId: copyId }));
    expect(await files()).toBe(before - 2);
  });

  it('keeps the order, the cover, the focal points and the texts of its photos [LIFE-7]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    const { eventPhotos: seen } = expectOk(
      await uploadPhotos(visitor, eventId, [
        ['1.png', await posterPhoto('one')],
        ['2.png', await posterPhoto('two')],
      ]),
    );
    const [first = '', second = ''] = seen;
    const photos = [
      { url: second, altText: 'The band', focus: { x: 20, y: 85 } },
      { url: first, altText: '', focus: null },
    ];
    expectOk(await visitor.call(arrangePhotos, { eventId, seen, photos, cover: first }));

    const arranged = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
      rows.photos.map((photo) => without(photo, 'eventId', 'id', 'createdAt'));
    const copy = arranged(await rowsOf(await duplicate(seller)));
    expect(copy).toEqual(arranged(await rowsOf(eventId)));
    expect(copy).toMatchObject([
      { altText: 'The band', focusX: 20, focusY: 85, isCover: false },
      { altText: '', focusX: null, focusY: null, isCover: true },
    ]);
  });

  it('waits for a photo of the original that is being deleted', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    const [photo = ''] = expectOk(
      await uploadPhotos(visitor, eventId, [['1.png', await posterPhoto('one')]]),
    ).eventPhotos;

    const { copying } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      await tx.deleteFrom('eventPhotos').where('eventId', '=', eventId).execute();
      const sent = duplicate(seller);
      await app.untilBlocked();
      return { copying: sent };
    });

    expect((await rowsOf(await copying)).photos).toEqual([]);
    expect(photo).not.toBe('');
  });
});
