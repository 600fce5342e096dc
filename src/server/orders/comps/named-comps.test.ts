/** Guests at no charge whom the organizer knows by name: they may have no address. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { cancelEvent, editEvent } from '#contract/app/events.ts';
import { guestPage, resendTicket } from '#contract/app/guests.ts';
import { addComps, withdrawComp } from '#contract/app/sales/comps.ts';
import { DOOR_NOTE_MAX, GUEST_NAME_MAX } from '#domain/sales/guest-form.ts';
import { compsAdded, compWithdrawnSilently } from '#messages/sales/comps.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { addGuests, compsOf, guestsToAdd } from '#tests/support/comps.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { attendantOf, emailsTo, eventForm, eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Counts emails to others than organizers, from now on. */
async function watchEmails() {
  const read = async () => {
    await app.settle();
    const rows = await app.db.selectFrom('emailOutbox').select(['id', 'kind', 'toAddress']).execute();
    return rows.filter(({ toAddress }) => !toAddress.startsWith('organizer'));
  };
  const before = new Set((await read()).map(({ id }) => id));
  return async () => (await read()).filter(({ id }) => !before.has(id)).map(({ kind, toAddress }) => [kind, toAddress]);
}

describe('a guest without an address [COMP-1]', () => {
  it('gets tickets that check in, and no email', async () => {
    const event = await eventOnSale(app);
    const { eventId, visitor } = event;
    const emailed = await watchEmails();
    const added = expectOk(await addGuests(event, [{ name: 'Ada Lovelace', doorNote: 'Front row', quantity: 2 }]));
    expect(added.msg).toBe(compsAdded(2, 2));
    const comps = await compsOf(event);
    expect(comps).toMatchObject(
      Array(2).fill({ email: null, name: 'Ada Lovelace', doorNote: 'Front row', state: 'valid' }),
    );
    const { guestList } = expectOk(await visitor.call(guestPage, { eventId }));
    expect(guestList).toMatchObject(
      Array(2).fill({ email: '', name: 'Ada Lovelace', doorNote: 'Front row', isComp: true }),
    );
    const confirmationNumber = comps[0]?.confirmationNumber ?? '';
    const device = await attendantOf(app, eventId, event.attendantCode);
    expectOk(await device.call(checkGuest, { eventId, confirmationNumber }));
    for (const email of ['', 'ada@example.com'])
      expect(await visitor.call(resendTicket, { email, confirmationNumber })).toMatchObject({
        status: 404,
        body: { code: 'resend.unknown-ticket' },
      });
    expect(await emailed()).toEqual([]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is withdrawn without an email', async () => {
    const event = await eventOnSale(app);
    const emailed = await watchEmails();
    expectOk(await addGuests(event, [{ name: 'Ada' }]));
    const [comp] = await compsOf(event);
    const withdrawn = await event.visitor.call(withdrawComp, {
      eventId: event.eventId,
      ticketId: comp?.ticketId ?? '',
    });
    expect(expectOk(withdrawn)).toEqual({ msg: compWithdrawnSilently });
    expect(await emailed()).toEqual([]);
    expect(await compsOf(event)).toMatchObject([{ state: 'refunded' }]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is left out of the emails about a moved and a cancelled event, which all others get', async () => {
    const event = await eventOnSale(app);
    const { eventId, visitor } = event;
    const emailed = await watchEmails();
    expectOk(await addGuests(event, [{ name: 'Ada' }, { email: 'kim@example.com', name: 'Kim' }]));
    const form = eventForm(app, { street: '1 Other St' });
    expectOk(await visitor.call(editEvent, { ...form, eventId }));
    expectOk(await visitor.call(cancelEvent, { eventId }));
    expect((await emailed()).toSorted()).toEqual([
      ['event-cancelled', 'kim@example.com'],
      ['event-changed', 'kim@example.com'],
      ['tickets', 'kim@example.com'],
    ]);
    expect((await compsOf(event)).map(({ state }) => state)).toEqual(['refunded', 'refunded']);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('is not the same as another of that name', async () => {
    const event = await eventOnSale(app);
    expectOk(await addGuests(event, [{ name: 'Kim' }, { name: 'Kim' }, { email: 'a@example.com', name: 'Kim' }]));
    const orders = app.db.selectFrom('orders').where('eventId', '=', event.eventId).select('buyerEmail');
    expect(await orders.execute()).toHaveLength(3);
  });

  it('is forgotten after its event: the note after a week, the name after a year', async () => {
    const event = await eventOnSale(app);
    expectOk(await addGuests(event, [{ name: 'Ada', doorNote: 'Front row' }]));
    const days = async (count: number) => {
      await app.advance({ hours: 24 * count });
      await purge(app.deps);
      return app.db
        .selectFrom('orderGuests')
        .where('eventId', '=', event.eventId)
        .select(['name', 'doorNote'])
        .execute();
    };
    expect(await days(8)).toEqual([{ name: 'Ada', doorNote: 'Front row' }]);
    expect(await days(1)).toEqual([{ name: 'Ada', doorNote: null }]);
    expect(await days(358)).toEqual([{ name: null, doorNote: null }]);
  });
});

describe('the file of guests', () => {
  it('has their names and notes, also where no names are asked', async () => {
    const event = await eventOnSale(app);
    expectOk(await addGuests(event, [{ name: '=Ada', doorNote: '+Band' }]));
    const file = await event.visitor.fetch(`/api/protected/event/${event.eventId}/guests.csv`);
    const [heading, row] = (await file.text()).split('\r\n');
    expect(heading).toMatch(/"Note","Name","Door note"$/);
    expect(row).toMatch(/^"",.*"Comp","'=Ada","'\+Band"$/);
  });
});

describe('a guest with a name and an address', () => {
  it('gets the name on the tickets', async () => {
    const event = await eventOnSale(app);
    expectOk(await addGuests(event, [{ email: 'named@example.com', name: 'Ada Lovelace', doorNote: 'Secret' }]));
    const [email] = await emailsTo(app, 'named@example.com');
    expect(email?.text).toContain('Ada Lovelace');
    expect(email?.html).not.toContain('Secret');
  });
});

describe('a list of guests', () => {
  it.each([
    [{}, 'guest.missing'],
    [{ name: '' }, 'guest.missing'],
    [{ name: ' \u200b ' }, 'guest.missing'],
    [{ doorNote: 'x' }, 'guest.missing'],
    [{ email: '', name: 'Ada' }, 'email.missing'],
    [{ email: 'ada', name: 'Ada' }, 'email.invalid'],
    [{ name: 'x'.repeat(GUEST_NAME_MAX + 1) }, 'guest-name.too-long'],
    [{ name: 'Ada', doorNote: 'x'.repeat(DOOR_NOTE_MAX + 1) }, 'door-note.too-long'],
  ])('is denied with %j', async (guest, reason) => {
    const event = await eventOnSale(app);
    expect(await addGuests(event, [{ name: 'Kim' }, guest])).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params: { reason } },
    });
    expect(await compsOf(event)).toEqual([]);
  });

  it.each([{ name: null }, { name: 5 }, { name: ['Ada'] }, { name: 'Ada', doorNote: {} }])(
    'is denied with %j',
    async (guest) => {
      const event = await eventOnSale(app);
      const [row] = await guestsToAdd(event, [{}]);
      const compsId = '019c0000-0000-7000-8000-00000000c0de';
      const reply = await event.visitor.send(addComps, {
        eventId: event.eventId,
        compsId,
        guests: [{ ...row, ...guest }],
      });
      expect(reply.status).toBe(400);
    },
  );

  it('is another request if a name or note differs [COMP-1]', async () => {
    const event = await eventOnSale(app);
    const compsId = '019c0000-0000-7000-8000-0000000c0de5';
    expectOk(await addGuests(event, [{ name: 'Ada' }], { compsId }));
    expectOk(await addGuests(event, [{ name: 'Ada' }], { compsId }));
    for (const guest of [{ name: 'Eve' }, { name: 'Ada', doorNote: 'x' }])
      expect(await addGuests(event, [guest], { compsId })).toMatchObject({ body: { code: 'comp.id-used' } });
    expect(await compsOf(event)).toHaveLength(1);
  });
});
