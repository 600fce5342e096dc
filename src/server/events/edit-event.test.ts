import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login, profile } from '#contract/app/accounts.ts';
import * as contract from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { edit, formOf, shown, ticketsOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import {
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  newOrganizer,
  openCheckout,
  PASSWORD,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { announceEventChange } from './announce-event-change.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Edit = InputOf<typeof contract.editEvent>;
type OnSale = Awaited<ReturnType<typeof eventOnSale>>;

const HOUR = 60 * 60 * 1000;
const inHours = (hours: number) => localTimeOf(new Date(app.now().getTime() + hours * HOUR), 'America/New_York');
const GENERAL = { ticketName: 'General admission', quantity: 2 };

describe('editing an event', () => {
  it('is recorded each time, and of a draft, which saves itself, once an hour [EDITOR-3]', async () => {
    const sale = await eventOnSale(app);
    const { eventId } = await newDraft(app, sale);
    const recorded = async (of: string) =>
      (
        await app.db
          .selectFrom('auditEvents')
          .where('eventId', '=', of)
          .where('action', '=', 'edit-event')
          .select('id')
          .execute()
      ).length;
    for (const title of ['One', 'Two', 'Three'])
      for (const one of [eventId, sale.eventId])
        expect(
          (await sale.visitor.call(contract.editEvent, { ...eventForm(app, { title }), eventId: one })).status,
        ).toBe(200);

    expect(await recorded(sale.eventId)).toBe(3);
    // Two where the hour ends meanwhile.
    expect(await recorded(eventId)).toBeLessThan(3);
  });

  it('applies the form, and ignores an owner in it [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const stranger = await newOrganizer(app);
    const { body: other } = await stranger.visitor.call(profile, {});

    const form = {
      ...(await formOf(app, sale)),
      title: 'Attic Brass',
      city: 'Queens',
      participants: 300,
      userId: other._id,
    };
    const reply = await sale.visitor.send(contract.editEvent, form);

    expect([reply.status, reply.body]).toEqual([200, { msg: 'Event Updated' }]);
    expect(await shown(app, sale)).toMatchObject({
      title: 'Attic Brass',
      city: 'Queens',
      organizationName: 'Cooperage Nights',
    });
    expect((await sale.visitor.call(profile, {})).body.events).toHaveLength(1);
  });

  it('is limited to its organizer: for others the event is not found [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const form = await formOf(app, sale);
    const stranger = await newOrganizer(app);

    expect(await stranger.visitor.call(contract.editEvent, form)).toMatchObject({
      status: 404,
      body: { code: 'event.not-found' },
    });
    expect((await sale.visitor.call(contract.editEvent, { ...form, eventId: 'nosuchevent00000' })).status).toBe(404);
    expect((await app.call(contract.editEvent, form)).status).toBe(401);
  });

  it('accepts a start in the past, unlike creating [EVT-11]', async () => {
    const sale = await eventOnSale(app);

    expect((await edit(app, sale, { startDate_startTime: inHours(-2) })).status).toBe(200);
  });

  it.each([
    ['no title [EVT-7]', { title: ' ' }, 'Title is required'],
    ['symbols in the postal code [EVT-9]', { postalCode: '1!' }, 'Postal code cannot contain symbols'],
    ['no start [EVT-10]', { startDate_startTime: '' }, 'Start date/time is required'],
    [
      'an end before the start [EVT-11]',
      { endDate_endTime: '2020-01-01T20:00' },
      'End date/time cannot be before start date/time',
    ],
    ['no tickets', { tickets: [] }, 'Add at least one ticket'],
  ])('refuses %s, like creating', async (_what, change, msg) => {
    const sale = await shared();

    expect(await edit(app, sale, change)).toMatchObject({ status: 400, body: { msg } });
  });

  it('refuses a cancelled event [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const form = await formOf(app, sale);
    await sale.visitor.call(contract.cancelEvent, { eventId: sale.eventId });

    expect(await sale.visitor.call(contract.editEvent, form)).toMatchObject({
      status: 409,
      body: { code: 'edit.event-cancelled' },
    });
  });

  it('reopens an ended event only if the plan allows another active event [EVT-18]', async () => {
    const sale = await eventOnSale(app);
    await edit(app, sale, { startDate_startTime: inHours(-4), endDate_endTime: inHours(-2) });
    for (const title of ['One', 'Two']) await sale.visitor.call(contract.createEvent, eventForm(app, { title }));

    expect(await edit(app, sale, { endDate_endTime: inHours(5) })).toMatchObject({
      status: 409,
      body: { code: 'event.too-many-active-events' },
    });
    expect((await edit(app, sale, { description: 'It was loud.' })).status).toBe(200);
  });

  let sharedSale: Promise<OnSale> | undefined;
  function shared() {
    sharedSale ??= eventOnSale(app);
    return sharedSale;
  }
});

describe('an outdated edit', () => {
  const changed = { status: 409, body: errorBody('event.changed') };

  it('is refused, and overwrites nothing [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const [first, second] = [await formOf(app, sale), await formOf(app, sale)];
    const [general, balcony] = await ticketsOf(app, sale);

    expect((await sale.visitor.call(contract.editEvent, { ...first, title: 'Attic Brass' })).status).toBe(200);

    expect(await sale.visitor.call(contract.editEvent, { ...second, city: 'Queens' })).toMatchObject(changed);
    expect(await shown(app, sale)).toMatchObject({ title: 'Attic Brass', city: 'Brooklyn' });
    const third = await formOf(app, sale);
    expect((await edit(app, sale, { tickets: [{ ...general, ticketPrice: 30 }, balcony] })).status).toBe(200);
    expect(await sale.visitor.call(contract.editEvent, third)).toMatchObject(changed);
    expect((await edit(app, sale, { city: 'Queens' })).status).toBe(200);
  });

  it('is the second of two concurrent edits [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const form = await formOf(app, sale);
    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', sale.eventId).select('id').forUpdate().execute();
      const saves = ['Attic Brass', 'Cellar Brass'].map((title) =>
        sale.visitor.call(contract.editEvent, { ...form, title }),
      );
      await app.untilBlocked(2);
      return { replies: saves };
    });

    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('is not assumed after a sale, without a version, or once changes are reverted', async () => {
    const sale = await eventOnSale(app);
    const form = await formOf(app, sale);
    const { version: _, ...unversioned } = form;
    await buyTickets(app, sale.eventId, [GENERAL]);

    expect((await edit(app, sale, { title: 'Attic Brass' })).status).toBe(200);
    expect((await sale.visitor.call(contract.editEvent, unversioned)).status).toBe(200);
    expect((await sale.visitor.call(contract.editEvent, form)).status).toBe(200);
  });
});

describe('the end of an event with sales', () => {
  it('cannot be moved into the past, unlike without sales [EVT-6]', async () => {
    const sale = await eventOnSale(app);
    const past = { startDate_startTime: inHours(-4), endDate_endTime: inHours(-2) };
    await buyTickets(app, sale.eventId, [GENERAL]);

    expect(await edit(app, sale, past)).toMatchObject({ status: 409, body: { code: 'edit.end-in-past' } });
    expect((await edit(app, await eventOnSale(app), past)).status).toBe(200);
  });

  it('never makes the payout available earlier when moved [EVT-6 PAY-2]', async () => {
    const sale = await eventOnSale(app);
    const before = await latestEndOf(sale);
    await buyTickets(app, sale.eventId, [GENERAL]);

    await edit(app, sale, { startDate_startTime: inHours(1), endDate_endTime: inHours(2) });
    expect(await latestEndOf(sale)).toEqual(before);
    await edit(app, sale, { endDate_endTime: inHours(60) });
    const extended = await latestEndOf(sale);
    expect(extended.getTime()).toBeGreaterThan(before.getTime());
    await edit(app, sale, { endDate_endTime: inHours(3) });
    expect(await latestEndOf(sale)).toEqual(extended);

    await later(sale, 28);
    expect(await sale.visitor.call(requestPayout, { eventId: sale.eventId })).toMatchObject({
      status: 409,
      body: { code: 'payout.too-early' },
    });
  });

  it('moves freely before the first sale', async () => {
    const sale = await eventOnSale(app);
    await edit(app, sale, { endDate_endTime: inHours(90) });
    await edit(app, sale, { startDate_startTime: inHours(1), endDate_endTime: inHours(2) });

    expect(await latestEndOf(sale)).toEqual(new Date((await shown(app, sale)).endDate_endTime));
  });

  it('is fixed once the event is paid out', async () => {
    const sale = await eventOnSale(app);
    await buyTickets(app, sale.eventId, [GENERAL]);
    await later(sale, 24 + 3 + 25);
    expect((await sale.visitor.call(requestPayout, { eventId: sale.eventId })).status).toBe(200);

    expect(await edit(app, sale, { title: 'Afterwards' })).toMatchObject({
      status: 409,
      body: { code: 'edit.event-paid-out' },
    });
  });

  /** Logs in again, because the session has expired by then. */
  async function later({ visitor, email }: OnSale, hours: number) {
    await app.advance({ hours });
    await visitor.call(login, { email, password: PASSWORD });
  }

  const latestEndOf = async ({ eventId }: OnSale) => {
    const row = app.db.selectFrom('events').where('id', '=', eventId).select('latestEndsAt');
    return (await row.executeTakeFirstOrThrow()).latestEndsAt;
  };
});

describe('buyers of a moved event', () => {
  const movedEmailsTo = async (address: string) =>
    (await emailsTo(app, address)).filter(({ subject }) => subject.startsWith('Basement Brass: new '));

  it('get one email each, with the old and new date and address [EVT-6]', async () => {
    const sale = await eventOnSale(app, {
      startDate_startTime: '2031-06-12T20:00',
      endDate_endTime: '2031-06-12T23:00',
    });
    await buyTickets(app, sale.eventId, [GENERAL], 'moved@example.com');
    await buyTickets(app, sale.eventId, [GENERAL], 'Moved@Example.com');
    await buyTickets(app, sale.eventId, [GENERAL], 'other@example.com');

    await edit(app, sale, {
      startDate_startTime: '2031-06-13T21:00',
      endDate_endTime: '2031-06-13T23:00',
      street: '1 New St',
    });

    const [email, ...more] = await movedEmailsTo('moved@example.com');
    expect(more).toEqual([]);
    expect(await movedEmailsTo('other@example.com')).toHaveLength(1);
    expect(email?.subject).toBe('Basement Brass: new date');
    for (const part of [email?.text, email?.html]) {
      expect(part).toContain('Thursday, June 12, 2031 at 8:00 PM EDT');
      expect(part).toContain('Friday, June 13, 2031 at 9:00 PM EDT');
      expect(part).toContain('38 Withers St, Brooklyn, NY 11211');
      expect(part).toContain('1 New St, Brooklyn, NY 11211');
      expect(part).toContain(`${app.publicUrl}/find-tickets`);
    }
  });

  it('are counted before they are emailed, if the form asks [LIFE-9]', async () => {
    const sale = await eventOnSale(app);
    const { eventId } = sale;
    const later = { startDate_startTime: inHours(40), endDate_endTime: inHours(44) };
    const elsewhere = { street: '1 New St' };
    const ask = (change: Partial<Edit>) => edit(app, sale, { ...change, emailsConfirmed: false });
    await openCheckout(app, eventId, [GENERAL]);
    expect((await ask({ street: '2 Unpaid St' })).status).toBe(200);

    for (const address of ['asked@example.com', 'Asked@example.com', 'asked2@example.com'])
      await buyTickets(app, eventId, [GENERAL], address);
    const denial = (about: 'date' | 'venue' | 'date-and-venue') => ({
      status: 409,
      body: errorBody('edit.emails-buyers', { buyers: 2, about }),
    });
    expect(await ask(later)).toMatchObject(denial('date'));
    expect(await ask(elsewhere)).toMatchObject(denial('venue'));
    expect(await ask({ ...later, ...elsewhere, title: 'Basement Brass' })).toMatchObject(denial('date-and-venue'));
    expect(await shown(app, sale)).toMatchObject({ street: '2 Unpaid St' });
    expect(await movedEmailsTo('asked@example.com')).toEqual([]);

    expect((await ask({ description: 'Louder.' })).status).toBe(200);
    expect((await edit(app, sale, { ...elsewhere, emailsConfirmed: true })).status).toBe(200);
    expect(await movedEmailsTo('asked@example.com')).toHaveLength(1);
    expect(await movedEmailsTo('asked2@example.com')).toHaveLength(1);
  });

  it('learn the refund deadline, also when the end is moved earlier [EVT-6 REF-4]', async () => {
    const sale = await eventOnSale(app, {
      startDate_startTime: '2031-06-12T20:00',
      endDate_endTime: '2031-06-12T23:00',
    });
    await buyTickets(app, sale.eventId, [GENERAL], 'earlier@example.com');

    await edit(app, sale, { startDate_startTime: '2031-06-10T20:00', endDate_endTime: '2031-06-10T23:00' });

    const [email] = await movedEmailsTo('earlier@example.com');
    expect(email?.text).toContain('Get a refund until Friday, June 13, 2031 at 11:00 PM EDT');
  });

  it('get no second email when the job is repeated, and none for other changes', async () => {
    const sale = await eventOnSale(app);
    await buyTickets(app, sale.eventId, [GENERAL], 'quiet@example.com');
    await edit(app, sale, { title: 'Basement Brass', description: 'Seven horns.', latitude: 40.7, participants: '90' });
    expect(await movedEmailsTo('quiet@example.com')).toEqual([]);

    await edit(app, sale, { city: 'Queens' });
    const change = app.db.selectFrom('eventChanges').where('eventId', '=', sale.eventId).select('id');
    const { id: changeId } = await change.executeTakeFirstOrThrow();
    await announceEventChange(app.deps, { eventId: sale.eventId, changeId });

    const emails = await movedEmailsTo('quiet@example.com');
    expect(emails.map(({ subject }) => subject)).toEqual(['Basement Brass: new location']);
  });
});
