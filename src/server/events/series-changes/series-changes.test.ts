/** Edits of several dates of a series. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent } from '#contract/app/events.ts';
import { publishEvent } from '#contract/app/sales/event-life.ts';
import { editSeries, eventSeries } from '#contract/app/sales/series-changes.ts';
import { updateEvent } from '#contract/v1/event-writes.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { newDraft } from '#tests/support/drafts.ts';
import {
  denialOf,
  editDates,
  formOfDate,
  localStarts,
  makeSeries,
  resultsOf,
  rowOf,
  rowsOf,
  type Series,
  seriesOf,
  weeklyDays,
  ZONE,
} from '#tests/support/edited-series.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { buyTickets, emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { changeSeries } from './change-series.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const typesOf = (eventId: string | undefined) =>
  app.db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId ?? '')
    .where('removedAt', 'is', null)
    .selectAll()
    .orderBy('position')
    .execute();

const messageOf = async ({ visitor }: Series, eventId: string) => {
  const { series } = expectOk(await visitor.call(eventSeries, { eventId }));
  return series?.dates.find((date) => date.eventId === eventId)?.result?.msg;
};

const changesOf = (eventId: string) =>
  app.db.selectFrom('eventChanges').where('eventId', '=', eventId).select('id').execute();

/** Day and time in the form, at `time` on the date's own day. */
const at = (local: string, time: string) => `${local.slice(0, 10)}T${time}`;

describe('an edit of this date and later ones [SERIES-5]', () => {
  it('says whom it emails, moves 20 dates, is killed twice, emails each once, and names the date that could not go down [LIFE-9]', async () => {
    const series = await seriesOf(app, 22);
    const [, base = '', ...later] = series.dates;
    const crowded = later[5] ?? '';
    for (const eventId of [base, later[0] ?? '', later[9] ?? '', later[19] ?? ''])
      await buyTickets(app, eventId, generalAdmission(1), `buyer-of-${eventId}@example.com`);
    await buyTickets(app, crowded, generalAdmission(2), 'crowd@example.com');
    await buyTickets(app, base, generalAdmission(1), 'second@example.com');
    // What is sold there exceeds the new quantity.
    await app.db
      .updateTable('ticketTypes')
      .set({ reserved: 60 })
      .where('eventId', '=', crowded)
      .where('name', '=', 'General admission')
      .execute();
    await app.settle();

    const form = await formOfDate(series, app, base);
    const start = localTimeOf(new Date(form.startDate_startTime), ZONE);
    const tickets = form.tickets.map((type, index) => (index === 0 ? { ...type, ticketQuantity: 50 } : type));
    const edit = {
      startDate_startTime: at(start, '19:30'),
      endDate_endTime: at(start, '22:30'),
      tickets,
      changeId: randomUUID(),
    };
    const before = await rowsOf(app, series);
    const asked = await editDates(app, series, base, { ...edit, emailsConfirmed: false });
    // The crowded date is denied, so its buyers are not counted.
    const params = { buyers: 5, dates: 4, about: 'date' as const };
    expect(asked).toMatchObject({ status: 409, body: errorBody('series-change.emails-buyers', params) });
    expect(await rowsOf(app, series)).toEqual(before);
    expect(await changesOf(base)).toEqual([]);

    await app.endJobs();
    expectOk(await editDates(app, series, base, { ...edit, emailsConfirmed: true }));
    // The clock is read before a date is written and after.
    const killedAt = (reading: number) => {
      let readings = 0;
      const now = () => {
        readings += 1;
        if (readings === reading) throw new Error('killed');
        return app.now();
      };
      return changeSeries({ db: app.deps.db, clock: { now } }, { changeId: edit.changeId });
    };
    await expect(killedAt(8)).rejects.toThrow('killed');
    const third = await rowOf(app, later[1]);
    const fourth = await rowOf(app, later[2]);
    expect([third, fourth].map(({ startsAt }) => localTimeOf(startsAt, ZONE).slice(11))).toEqual(['19:30', '20:00']);
    expect((await typesOf(fourth.id))[0]?.quantity).toBe(100);
    await expect(killedAt(9)).rejects.toThrow('killed');
    await app.restartJobs();

    const results = await resultsOf(app, series);
    expect(results).toEqual([null, ...Array(6).fill('updated'), 'denied', ...Array(14).fill('updated')]);
    expect(await denialOf(app, crowded)).toBe('edit.quantity-below-sold');
    expect(await messageOf(series, crowded)).toContain('60 General admission tickets');
    const starts = (await localStarts(app, series)).map((local) => local.slice(11));
    expect(starts).toEqual(['20:00', ...Array(6).fill('19:30'), '20:00', ...Array(14).fill('19:30')]);
    const sold = [base, later[0], later[9], later[19]];
    for (const eventId of [base, ...later])
      expect(await changesOf(eventId)).toHaveLength(sold.includes(eventId) ? 1 : 0);
    for (const eventId of sold) expect(await movesTo(`buyer-of-${eventId}@example.com`)).toBe(1);
    expect(await movesTo('second@example.com')).toBe(1);
    expect(await movesTo('crowd@example.com')).toBe(0);
    const audits = app.db.selectFrom('auditEvents').where('action', '=', 'edit-event').select('eventId');
    const audited = (await audits.execute()).filter(({ eventId }) => series.dates.includes(eventId ?? ''));
    expect(audited).toHaveLength(20);
    await app.db
      .updateTable('ticketTypes')
      .set({ reserved: 2 })
      .where('eventId', '=', crowded)
      .where('name', '=', 'General admission')
      .execute();
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  const movesTo = async (address: string) =>
    (await emailsTo(app, address)).filter(({ subject }) => subject.includes('new date') || subject.includes('changed'))
      .length;

  it('keeps what it does not change: a date has its own venue, price and quantity', async () => {
    const series = await seriesOf(app, 3);
    const [base = '', second = '', third = ''] = series.dates;
    await app.db
      .updateTable('events')
      .set({ venueName: 'The Attic', street: '1 High St' })
      .where('id', '=', second)
      .execute();
    await app.db
      .updateTable('ticketTypes')
      .set({ priceCents: 9900, quantity: 7 })
      .where('eventId', '=', second)
      .where('name', '=', 'Balcony')
      .execute();
    const { tickets } = await formOfDate(series, app, base);
    const cheaper = tickets.map((type, index) => (index === 0 ? { ...type, ticketPrice: 20 } : type));
    expectOk(
      await editDates(app, series, base, { description: 'Seven horns.', subtitle: 'Opening', tickets: cheaper }),
    );
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'updated']);
    expect(await rowOf(app, second)).toMatchObject({
      description: 'Seven horns.',
      venueName: 'The Attic',
      street: '1 High St',
    });
    expect((await rowsOf(app, series)).map(({ subtitle }) => subtitle)).toEqual(['Opening', null, null]);
    expect((await typesOf(second)).map(({ priceCents, quantity }) => [priceCents, quantity])).toEqual([
      [2000, 100],
      [9900, 7],
    ]);
    expect((await typesOf(third)).map(({ priceCents }) => priceCents)).toEqual([2000, 3850]);
  });

  it('gives all coming dates its title, also those before it [SERIES-7]', async () => {
    const series = await seriesOf(app, 3);
    expectOk(await editDates(app, series, series.dates[1] ?? '', { title: 'Attic Brass', description: 'New' }));
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'updated']);
    const rows = await rowsOf(app, series);
    expect(rows.map(({ title }) => title)).toEqual(Array(3).fill('Attic Brass'));
    expect(rows.map(({ description }) => description)).toEqual(['Six horns in a cellar.', 'New', 'New']);
  });

  it('names dates where nothing is different, and writes nothing there', async () => {
    const series = await seriesOf(app, 3);
    const [base = '', second = ''] = series.dates;
    await app.db.updateTable('events').set({ description: 'New' }).where('id', '=', second).execute();
    expectOk(await editDates(app, series, base, { description: 'New' }));
    expect(await resultsOf(app, series)).toEqual(['updated', 'unchanged', 'updated']);
    const audits = app.db.selectFrom('auditEvents').where('eventId', '=', second).where('action', '=', 'edit-event');
    expect(await audits.select('id').execute()).toEqual([]);
  });

  it('changes ticket types by name: renames, adds, removes and orders them, and denies a date that lacks one', async () => {
    const series = await seriesOf(app, 3);
    const [base = '', second = '', third = ''] = series.dates;
    await app.db
      .updateTable('ticketTypes')
      .set({ name: 'Gallery' })
      .where('eventId', '=', third)
      .where('name', '=', 'Balcony')
      .execute();
    const { tickets } = await formOfDate(series, app, base);
    const [general, balcony] = tickets;
    if (!general || !balcony) throw new Error('two types were expected');
    const vip = { ticketName: 'VIP', ticketDescription: 'Front row', ticketPrice: 90, ticketQuantity: 5 };
    const renamed = { ...balcony, ticketName: 'Upper balcony' };
    expectOk(await editDates(app, series, base, { tickets: [vip, renamed, general] }));
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'denied']);
    expect((await typesOf(second)).map(({ name }) => name)).toEqual(['VIP', 'Upper balcony', 'General admission']);
    expect(await denialOf(app, third)).toBe('series-change.type-missing');
    expect((await typesOf(third)).map(({ name }) => name)).toEqual(['General admission', 'Gallery']);

    const [first, , last] = (await formOfDate(series, app, base)).tickets;
    expectOk(await editDates(app, series, base, { tickets: [first, last].flatMap((type) => type ?? []) }));
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'unchanged']);
    expect((await typesOf(second)).map(({ name }) => name)).toEqual(['VIP', 'General admission']);
  });
});

describe('a change of a series [SERIES-5]', () => {
  it('is denied like the ordinary edit where its own date is, and then changes nothing', async () => {
    const series = await seriesOf(app, 2);
    const [base = ''] = series.dates;
    const stale = await editDates(app, series, base, { description: 'New', version: 'an older one' });
    expect(stale).toMatchObject({ status: 409, body: errorBody('event.changed') });
    const start = localTimeOf((await rowOf(app, base)).startsAt, ZONE);
    const backwards = await editDates(app, series, base, { endDate_endTime: at(start, '10:00') });
    expect(backwards).toMatchObject({ status: 400, body: { code: 'form.invalid' } });
    expect(await resultsOf(app, series)).toEqual([null, null]);
  });

  it('is one, however often it is sent, and waits for no other', async () => {
    const series = await seriesOf(app, 2);
    const [base = ''] = series.dates;
    await app.endJobs();
    const changeId = randomUUID();
    expectOk(await editDates(app, series, base, { description: 'One', changeId }));
    expectOk(await editDates(app, series, base, { description: 'One', changeId }));
    const second = await editDates(app, series, base, { description: 'Two' });
    expect(second).toMatchObject({ status: 409, body: errorBody('series-change.running') });
    const title = await series.visitor.call(editEvent, {
      ...(await formOfDate(series, app, base)),
      title: 'Meanwhile',
    });
    expect(title).toMatchObject({ status: 409, body: errorBody('series-change.running') });
    await app.restartJobs();
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated']);
    expect((await rowsOf(app, series)).map(({ title, description }) => [title, description])).toEqual(
      Array(2).fill(['Basement Brass', 'One']),
    );
    const stored = app.db.selectFrom('seriesChanges').where('seriesId', '=', series.seriesId);
    expect(await stored.select(['edit', 'userId']).execute()).toEqual([{ edit: null, userId: null }]);
    expectOk(await editDates(app, series, base, { description: 'Two' }));
    await app.settle();
    expect(await stored.select('id').execute()).toHaveLength(1);
  });

  it('leaves past, cancelled and paid-out dates alone, and orders dates by start', async () => {
    const series = await seriesOf(app, 5);
    const [past = '', cancelled = '', paidOut = '', base = ''] = series.dates;
    const yesterday = new Date(app.now().getTime() - 86_400_000);
    await app.db.updateTable('events').set({ startsAt: yesterday, endsAt: yesterday }).where('id', '=', past).execute();
    await app.db.updateTable('events').set({ cancelledAt: yesterday }).where('id', '=', cancelled).execute();
    await app.db.updateTable('events').set({ payoutRequestedAt: yesterday }).where('id', '=', paidOut).execute();
    expectOk(await editDates(app, series, base, { scope: 'all', description: 'New' }));
    await app.settle();
    expect((await rowsOf(app, series)).map(({ description }) => description === 'New')).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('moves no date twice, though two workers carry it out', async () => {
    // The third date keeps the change from completion, which ends the edit, while both are at the second one.
    const series = await seriesOf(app, 3);
    const [base = '', second = ''] = series.dates;
    const starts = await localStarts(app, series);
    await app.endJobs();
    const changeId = randomUUID();
    const next = (local = '') => localTimeOf(new Date(Date.parse(`${local}Z`) + 86_400_000), 'UTC');
    const moved = { startDate_startTime: next(starts[0]), endDate_endTime: at(next(starts[0]), '23:00') };
    expectOk(await editDates(app, series, base, { ...moved, changeId }));
    const work = () => changeSeries(app.deps, { changeId });
    await raceFor(app, 'events', second, [work, work]);
    expect(await localStarts(app, series)).toEqual(starts.map(next));
    await app.restartJobs();
    expect(await resultsOf(app, series)).toEqual(['updated', 'updated', 'updated']);
  });

  it('reaches only dates that the member was given', async () => {
    const series = await seriesOf(app, 3);
    const [base = '', second = '', third = ''] = series.dates;
    const { visitor } = await newMember(app, series, 'editor', [base, third]);
    expectOk(await editDates(app, series, base, { description: 'New' }, visitor));
    await app.settle();
    expect(await denialOf(app, second)).toBe('series-change.date-not-given');
    expect((await rowsOf(app, series)).map(({ description }) => description === 'New')).toEqual([true, false, true]);
    const { series: seen } = expectOk(await visitor.call(eventSeries, { eventId: base }));
    expect(seen?.dates.map(({ eventId }) => eventId)).toEqual([base, third]);
    expect((await visitor.call(eventSeries, { eventId: second })).status).toBe(404);
  });

  it('ends where the member is none any more', async () => {
    const series = await seriesOf(app, 2);
    const [base = '', second = ''] = series.dates;
    const { visitor, email } = await newMember(app, series, 'editor');
    await app.endJobs();
    expectOk(await editDates(app, series, base, { description: 'New' }, visitor));
    const { id } = await app.db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirstOrThrow();
    await app.db
      .deleteFrom('memberships')
      .where('userId', '=', id)
      .where('organizationId', '=', (await rowOf(app, base)).organizationId)
      .execute();
    await app.restartJobs();
    expect(await resultsOf(app, series)).toEqual(['denied', 'denied']);
    expect(await denialOf(app, second)).toBe('series-change.date-not-given');
  });

  it('is denied where there is no series, and not found by others', async () => {
    const single = await eventOnSale(app);
    const alone = { visitor: single.visitor, seriesId: '', dates: [single.eventId] };
    expect(await editDates(app, alone, single.eventId, {})).toMatchObject({
      status: 409,
      body: errorBody('series-change.no-series'),
    });
    const series = await seriesOf(app, 2);
    const form = await formOfDate(series, app, series.dates[0] ?? '');
    const foreign = { ...form, changeId: randomUUID(), scope: 'all' as const };
    expect((await single.visitor.call(editSeries, foreign)).status).toBe(404);
  });
});

it('a draft keeps its new title to itself until it is published, then the other coming dates get it [SERIES-7]', async () => {
  const seller = await eventOnSale(app);
  const { eventId: draft } = await newDraft(app, seller, { title: 'Basement Brass' });
  const series = await makeSeries(app, { ...seller, eventId: draft }, weeklyDays(app, 2));
  const titles = async () => {
    await app.settle();
    return (await rowsOf(app, series)).map(({ title }) => title);
  };
  const form = await formOfDate(series, app, draft);

  for (const title of ['A', 'At', 'Attic Brass'])
    expectOk(await series.visitor.call(editEvent, { ...form, title, version: undefined }));
  expect(await titles()).toEqual(['Attic Brass', 'Basement Brass']);

  expectOk(await series.visitor.call(publishEvent, { eventId: draft }));
  expectOk(await series.visitor.call(publishEvent, { eventId: draft }));
  expect(await titles()).toEqual(['Attic Brass', 'Attic Brass']);
  expect((await rowsOf(app, series)).map(({ isPublished }) => isPublished)).toEqual([true, false]);
});

it('a new title of one date goes to the other coming dates, its subtitle does not [SERIES-7]', async () => {
  const series = await seriesOf(app, 3);
  const [base = ''] = series.dates;
  const form = await formOfDate(series, app, base);
  expectOk(await series.visitor.call(editEvent, { ...form, title: 'Attic Brass', subtitle: 'Opening night' }));
  await app.settle();
  expect((await rowsOf(app, series)).map(({ title, subtitle }) => [title, subtitle])).toEqual([
    ['Attic Brass', 'Opening night'],
    ['Attic Brass', null],
    ['Attic Brass', null],
  ]);
});

it('a new title by a key goes to the dates that the key has', async () => {
  const series = await seriesOf(app, 3);
  const [first = '', second = ''] = series.dates;
  const key = await newApiKey(series.visitor, { onlyEventIds: [first, second] });
  await callV1(app, key, updateEvent, { event_id: first, title: 'Attic Brass' });
  await app.settle();
  expect((await rowsOf(app, series)).map(({ title }) => title)).toEqual([
    'Attic Brass',
    'Attic Brass',
    'Basement Brass',
  ]);
});
