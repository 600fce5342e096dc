/** The versions of an event's page: which edits make one, and what they keep. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editEvent, editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import { duplicateEvent, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { PAGE_VERSIONS_PER_DAY_MAX } from '#domain/limits.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { updateEvent } from '#server/events/edit-event.sql.ts';
import { inTransaction } from '#server/platform/database.ts';
import { addGuests } from '#tests/support/comps.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { buyTickets, eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readChanges } from './read-changes.ts';
import { recordVersion } from './record-version.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Seller = Awaited<ReturnType<typeof eventOnSale>>;

const versionsOf = async (eventId: string) => {
  const rows = await app.db
    .selectFrom('eventPageVersions')
    .where('eventId', '=', eventId)
    .select(['version', 'hash', 'isListed'])
    .orderBy('version')
    .execute();
  return rows.map(({ version, hash, isListed }) => ({ version, hash, isListed }));
};

const count = async (eventId: string) => (await versionsOf(eventId)).length;

const pageOf = async (eventId: string) => {
  const page = expectOk(await app.call(publicEvent, { eventId }));
  if (!('tickets' in page)) throw new Error('the event is not on sale');
  return page;
};

const inHours = (hours: number) => localTimeOf(new Date(app.now().getTime() + hours * 3_600_000), 'America/New_York');

/** At its own time of day, so that a repeated one is the same. */
const nextWeek = () => ({ startDate_startTime: inHours(24 * 7), endDate_endTime: inHours(24 * 7 + 3) });

const changesOf = async (eventId: string) =>
  ((await readChanges(app.deps, eventId))?.changes ?? []).map(({ parts }) => parts.map(({ what }) => what));

/** The form as the event has it, with the first price changed. */
async function reprice({ visitor, eventId }: Seller, dollars: number) {
  const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
  const rows = tickets.map((type, index) => ({ ...type, ...(index === 0 && { ticketPrice: dollars }) }));
  expect((await visitor.send(editTickets, { eventId, tickets: rows })).status).toBe(200);
}

describe('a version of the page', () => {
  it('begins with publishing: of a new event at once, of a draft then [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    expect(await versionsOf(seller.eventId)).toMatchObject([{ version: 1, isListed: false }]);

    const { eventId } = await newDraft(app, seller);
    await editEventOf(app, { ...seller, eventId }, { title: 'Attic Strings' });
    expect(await count(eventId)).toBe(0);
    expectOk(await seller.visitor.call(publishEvent, { eventId }));
    expect(await count(eventId)).toBe(1);
    expect((await pageOf(eventId)).pageVersion).toBe(1);
  });

  it.each<[string, Parameters<typeof editEventOf>[2]]>([
    ['title', { title: 'Attic Strings' }],
    ['description', { description: 'Four strings upstairs.' }],
    ['venue', { street: '1 Elsewhere' }],
    ['name of the venue', { venueName: 'The Cooperage' }],
    ['date', { startDate_startTime: '2031-06-12T20:00', endDate_endTime: '2031-06-12T23:30' }],
  ])('is made by another %s, once [VERS-1]', async (_what, change) => {
    const seller = await eventOnSale(app);
    await editEventOf(app, seller, change);
    await editEventOf(app, seller, change);

    expect(await count(seller.eventId)).toBe(2);
    expect((await pageOf(seller.eventId)).pageVersion).toBe(2);
  });

  it('is made by another price, text or set of ticket types, and never by stock [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await reprice(seller, 25);
    expect(await count(eventId)).toBe(2);
    await editEventOf(app, seller, {
      tickets: eventForm(app).tickets.map((type) => ({ ...type, ticketDescription: 'x' })),
    });
    expect(await count(eventId)).toBe(3);

    await editEventOf(app, seller, {
      tickets: eventForm(app).tickets.map((type) => ({ ...type, ticketDescription: 'x', ticketQuantity: 99 })),
    });
    await editEventOf(app, seller, { participants: '300', maxPerOrder: '5' });
    await buyTickets(app, eventId, generalAdmission(2));
    expect(await count(eventId)).toBe(3);
  });

  it('refers to the content that an edit restores [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    await editEventOf(app, seller, { title: 'Attic Strings' });
    await editEventOf(app, seller, { title: 'Basement Brass' });

    const [first, second, third] = await versionsOf(seller.eventId);
    expect([third?.version, third?.hash]).toEqual([3, first?.hash]);
    expect(second?.hash).not.toBe(first?.hash);
  });

  it('is made by publishing again only if something was edited meanwhile [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    expectOk(await visitor.call(takeDownEvent, { eventId }));
    expectOk(await visitor.call(publishEvent, { eventId }));
    expect(await count(eventId)).toBe(1);

    expectOk(await visitor.call(takeDownEvent, { eventId }));
    await editEventOf(app, seller, nextWeek());
    expectOk(await visitor.call(publishEvent, { eventId }));
    expect(await count(eventId)).toBe(2);
    expect((await pageOf(eventId)).hasChanges).toBe(true);
  });

  it('is not copied with the event [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    await editEventOf(app, seller, nextWeek());
    const copy = expectOk(
      await seller.visitor.call(duplicateEvent, { eventId: seller.eventId, duplicateId: crypto.randomUUID() }),
    );
    expect(await count(copy.eventId)).toBe(0);
    expectOk(await seller.visitor.call(publishEvent, copy));
    expect(await pageOf(copy.eventId)).toMatchObject({ pageVersion: 1 });
    expect((await pageOf(copy.eventId)).hasChanges).toBeUndefined();
  });

  it('is denied after 500 a day, and leaves the event as it was [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const { now } = await app.db.selectNoFrom(sql<Date>`business_now()`.as('now')).executeTakeFirstOrThrow();
    const { hash } = (await versionsOf(eventId))[0] ?? { hash: '' };
    const earlier = Array.from({ length: PAGE_VERSIONS_PER_DAY_MAX - 1 }, (_, index) => index + 2);
    await app.db
      .insertInto('eventPageVersions')
      .values(earlier.map((version) => ({ eventId, version, hash, changedAt: now, isListed: false })))
      .execute();
    await updateEvent(app.db, eventId, { pageVersion: PAGE_VERSIONS_PER_DAY_MAX });

    const edit = { ...eventForm(app, { title: 'Attic Strings' }), eventId };
    expect(await seller.visitor.call(editEvent, edit)).toMatchObject({
      status: 409,
      body: errorBody('edit.changed-too-often'),
    });
    expect((await pageOf(eventId)).title).toBe('Basement Brass');

    await app.advance({ hours: 25 });
    await inTransaction(app.db, async (tx) => {
      await updateEvent(tx, eventId, { title: 'Attic Strings' });
      await recordVersion(tx, eventId);
    });
    expect(await count(eventId)).toBe(PAGE_VERSIONS_PER_DAY_MAX + 1);
  });
});

describe('an order', () => {
  it('keeps the version that it was made on, which re-hashes to its content after 500 edits [VERS-1]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await editEventOf(app, seller, { title: 'Attic Strings' });
    await buyTickets(app, eventId, generalAdmission(1));
    await addGuests(seller, [{ email: 'guest@example.com' }]);

    for (let edit = 1; edit <= 500; edit += 1) {
      if (edit === 250) await app.advance({ hours: 25 });
      await inTransaction(app.db, async (tx) => {
        await updateEvent(tx, eventId, {
          description: `Horn ${edit}`,
          startsAt: new Date(Date.UTC(2031, 1, 1, 0, edit)),
          endsAt: new Date(Date.UTC(2031, 1, 2)),
        });
        await recordVersion(tx, eventId);
      });
    }

    const { rows } = await sql<{ version: number; isWhole: boolean; title: string; description: string }>`
      select o.page_version as version, content_hash(c.content) = v.hash as is_whole, c.content ->> 'title' as title,
             c.content ->> 'description' as description
        from orders o
        join event_page_versions v on v.event_id = o.event_id and v.version = o.page_version
        join event_page_contents c on c.event_id = v.event_id and c.hash = v.hash
       where o.event_id = ${eventId}`.execute(app.db);
    const made = { version: 2, isWhole: true, title: 'Attic Strings', description: 'Six horns in a cellar.' };
    expect(rows).toEqual([made, made]);
    expect(await count(eventId)).toBe(502);
  });
});

describe('the list of changes', () => {
  it('has a move and its reversal, newest first [VERS-2]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    const before = await pageOf(eventId);
    await editEventOf(app, seller, nextWeek());
    await editEventOf(app, seller, {
      startDate_startTime: before.startDate_startTime,
      endDate_endTime: before.endDate_endTime,
    });

    const changes = (await readChanges(app.deps, eventId))?.changes ?? [];
    expect(changes.map(({ parts }) => parts.map(({ what }) => what))).toEqual([['date'], ['date']]);
    const [back, moved] = changes.map(({ parts }) => parts[0]);
    expect([back?.before, back?.after]).toEqual([moved?.after, moved?.before]);
    expect(moved?.before).not.toBe(moved?.after);
    expect((await pageOf(eventId)).hasChanges).toBe(true);
  });

  it('has date, end and venue, and no texts [VERS-2]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await editEventOf(app, seller, { title: 'Attic Strings', description: 'Four strings.', venueName: 'The Attic' });
    expect(await changesOf(eventId)).toEqual([]);
    expect((await pageOf(eventId)).hasChanges).toBeUndefined();

    await editEventOf(app, seller, { endDate_endTime: inHours(30) });
    await editEventOf(app, seller, { ...nextWeek(), street: '1 Elsewhere', venueName: 'The Cellar' });
    expect(await changesOf(eventId)).toEqual([['date', 'end', 'venue'], ['end']]);
  });

  it('has the prices of types with sales only, named as they are now [VERS-2]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = seller;
    await reprice(seller, 20);
    expect(await changesOf(eventId)).toEqual([]);
    await buyTickets(app, eventId, generalAdmission(1));
    await reprice(seller, 22);

    const changes = (await readChanges(app.deps, eventId))?.changes;
    expect(changes?.map(({ parts }) => parts)).toEqual([
      [{ what: 'price', name: 'General admission', before: '$20.00', after: '$22.00' }],
    ]);
  });

  it('shows nothing of a hidden type [VERS-2]', async () => {
    const [hall, balcony] = eventForm(app).tickets;
    if (!hall || !balcony) throw new Error('the form has two types');
    const seller = await eventOnSale(app, { tickets: [{ ...balcony, isHidden: true }, hall] });
    const { eventId } = seller;
    await addGuests(seller, [{ email: 'guest@example.com', ticketName: 'Balcony' }]);
    await reprice(seller, 60);

    expect(await changesOf(eventId)).toEqual([]);
    const contents = await app.db
      .selectFrom('eventPageContents')
      .where('eventId', '=', eventId)
      .select('content')
      .execute();
    expect(JSON.stringify(contents)).not.toContain('Balcony');
  });

  it('is unknown of a draft, and of an event that was taken down [VERS-2]', async () => {
    const seller = await eventOnSale(app);
    const { eventId } = await newDraft(app, seller);
    expect(await readChanges(app.deps, eventId)).toBeNull();
    expectOk(await seller.visitor.call(takeDownEvent, { eventId: seller.eventId }));
    expect(await readChanges(app.deps, seller.eventId)).toBeNull();
  });
});
