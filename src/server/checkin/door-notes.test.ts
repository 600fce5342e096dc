/** What the door is shown of a guest who was let in. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest, checkGuestManual } from '#contract/app/check-in.ts';
import { offlineTicketList, syncScans } from '#contract/app/check-in-devices.ts';
import { guestPage } from '#contract/app/guests.ts';
import { editDoorNote } from '#contract/app/sales/door-notes.ts';
import { eventGuestForm } from '#contract/app/sales/guest-forms.ts';
import { DOOR_NOTE_MAX } from '#domain/sales/guest-form.ts';
import { addGuests, compsOf } from '#tests/support/comps.ts';
import { askBuyers, buyWithDetails, questionForm } from '#tests/support/guest-forms.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Event = Awaited<ReturnType<typeof eventOnSale>>;

const scan = (device: Visitor, { eventId }: Event, confirmationNumber: string, scanId: string = randomUUID()) =>
  device.call(checkGuest, { eventId, confirmationNumber, scanId });

const doorOf = ({ eventId, attendantCode }: Event) => attendantOf(app, eventId, attendantCode);

const note = ({ visitor, eventId }: Event, ticketId: string, doorNote: string) =>
  visitor.call(editDoorNote, { eventId, ticketId, doorNote });

async function eventWithGuest() {
  const event = await eventOnSale(app);
  const [code = ''] = codesOf(await buyTickets(app, event.eventId, generalAdmission(1)));
  const { guestList } = expectOk(await event.visitor.call(guestPage, { eventId: event.eventId }));
  return { event, code, ticketId: guestList[0]?.ticketId ?? '' };
}

describe('answers at the door [LIST-2]', () => {
  it('are those about access needs, unless the organizer chooses others', async () => {
    const event = await eventOnSale(app);
    const ids = await askBuyers(event, {
      questions: [
        questionForm('Access needs', { kind: 'access', isRequired: false }),
        questionForm('Meal', { isRequired: false }),
        questionForm('Coach', { scope: 'order', kind: 'yes-no', isRequired: false, isShownAtDoor: true }),
      ],
    });
    const { questions } = expectOk(await event.visitor.call(eventGuestForm, { eventId: event.eventId }));
    expect(questions.map(({ isShownAtDoor }) => isShownAtDoor)).toEqual([true, false, true]);
    const [access = '', meal = '', coach = ''] = [ids['Access needs'], ids['Meal'], ids['Coach']];
    const order = await buyWithDetails(
      app,
      event.eventId,
      {
        order: { answers: { [coach]: 'Yes' } },
        tickets: [{ answers: { [access]: 'Wheelchair', [meal]: 'Soup' } }, { answers: { [meal]: 'Pie' } }],
      },
      { email: 'sofia@example.com', cartItems: generalAdmission(2) },
    );
    const [first = '', second = ''] = codesOf(order);
    const device = await doorOf(event);

    expect(expectOk(await scan(device, event, first)).notes).toEqual([
      { label: 'Access needs', text: 'Wheelchair' },
      { label: 'Coach', text: 'Yes' },
    ]);
    const typed = { eventId: event.eventId, manualFormData: { confirmationNumber: second, honeypot: '' } };
    expect(expectOk(await device.call(checkGuestManual, typed)).notes).toEqual([{ label: 'Coach', text: 'Yes' }]);
  });

  it('are no longer shown once the organizer turns them off, also for orders that were asked before', async () => {
    const event = await eventOnSale(app);
    const question = questionForm('Access needs', { kind: 'access' });
    const { 'Access needs': questionId = '' } = await askBuyers(event, { questions: [question] });
    const buy = async () => {
      const tickets = [{ answers: { [questionId]: 'Wheelchair' } }];
      const [code = ''] = codesOf(await buyWithDetails(app, event.eventId, { tickets }, { email: 'a@example.com' }));
      return code;
    };
    const [shown, hidden, again] = [await buy(), await buy(), await buy()];
    const device = await doorOf(event);
    expect(expectOk(await scan(device, event, shown)).notes).toHaveLength(1);
    await askBuyers(event, { questions: [{ ...question, questionId, isShownAtDoor: false }] });
    expect(expectOk(await scan(device, event, hidden))).not.toHaveProperty('notes');
    // A question that is gone stays as it was last.
    await askBuyers(event, { questions: [] });
    expect(expectOk(await scan(device, event, again))).not.toHaveProperty('notes');
  });
});

describe('a door note [LIST-2]', () => {
  it('is shown when its guest is let in, and again to the same scan, and to no other', async () => {
    const { event, code, ticketId } = await eventWithGuest();
    expectOk(await note(event, ticketId, '  Guest of\nthe band  '));
    const device = await doorOf(event);
    const other = await doorOf(event);
    const scanId = randomUUID();
    const admitted = { result: 'admitted', notes: [{ label: 'Note', text: 'Guest of the band' }] };

    expect(expectOk(await scan(device, event, code, scanId))).toMatchObject(admitted);
    expect(expectOk(await scan(device, event, code, scanId))).toMatchObject(admitted);
    const late = await scan(other, event, code);
    expect(late.status).toBe(409);
    expect(JSON.stringify(late.body)).not.toContain('band');
  });

  it('is on the guest list, can be changed and removed, and leaves name and answers as they are', async () => {
    const event = await eventOnSale(app);
    const { Meal: meal = '' } = await askBuyers(event, { asksNames: 'required', questions: [questionForm('Meal')] });
    const tickets = [{ name: 'Sofia', answers: { [meal]: 'Soup' } }];
    await buyWithDetails(app, event.eventId, { tickets }, { email: 'sofia@example.com' });
    const list = async () =>
      expectOk(await event.visitor.call(guestPage, { eventId: event.eventId })).guestList.map(
        ({ name, answers, doorNote }) => ({ name, answers, doorNote }),
      );
    const [before] = await list();
    const { guestList } = expectOk(await event.visitor.call(guestPage, { eventId: event.eventId }));
    const ticketId = guestList[0]?.ticketId ?? '';
    for (const text of ['Front row', 'Balcony'])
      await note(event, ticketId, text).then(async (reply) => {
        expectOk(reply);
        expect(await list()).toEqual([{ ...before, doorNote: text }]);
      });
    expectOk(await note(event, ticketId, '   '));
    expect(await list()).toEqual([before]);
    expect(before).toMatchObject({ name: 'Sofia', answers: [{ label: 'Meal', answer: 'Soup' }] });
  });

  it('has at most 200 characters, however they are written', async () => {
    const { event, ticketId } = await eventWithGuest();
    expectOk(await note(event, ticketId, '🎺'.repeat(DOOR_NOTE_MAX)));
    expect(await note(event, ticketId, 'a'.repeat(DOOR_NOTE_MAX + 1))).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params: { field: 'doorNote', reason: 'door-note.too-long' } },
    });
    for (const doorNote of [null, 5, ['a'], undefined])
      expect((await event.visitor.send(editDoorNote, { eventId: event.eventId, ticketId, doorNote })).status).toBe(400);
  });

  it('is about a ticket of the event, by a member who may write it', async () => {
    const { event, ticketId } = await eventWithGuest();
    const other = await eventOnSale(app);
    expect(await note(other, ticketId, 'x')).toMatchObject({
      status: 404,
      body: { code: 'door-note.unknown-ticket' },
    });
    const foreign = await other.visitor.call(editDoorNote, { eventId: event.eventId, ticketId, doorNote: 'x' });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'event.not-found' } });
    const helper = await newMember(app, event, 'check-in');
    const denied = await helper.visitor.call(editDoorNote, { eventId: event.eventId, ticketId, doorNote: 'x' });
    expect(denied).toMatchObject({ status: 403, body: { code: 'auth.role-denied' } });
    expect(await app.call(editDoorNote, { eventId: event.eventId, ticketId, doorNote: 'x' })).toMatchObject({
      status: 401,
    });
  });

  it('is recorded without its text', async () => {
    const { event, ticketId } = await eventWithGuest();
    expectOk(await note(event, ticketId, 'Secret'));
    const entries = await app.db
      .selectFrom('auditEvents')
      .where('subject', '=', ticketId)
      .select(['action', 'params'])
      .execute();
    expect(entries).toEqual([{ action: 'edit-door-note', params: {} }]);
  });

  it('reaches no device but with a check: neither the list nor a sync has it', async () => {
    const { event, code, ticketId } = await eventWithGuest();
    const { eventId } = event;
    expectOk(await note(event, ticketId, 'Guest of the band'));
    const device = await doorOf(event);
    const list = await device.call(offlineTicketList, { eventId, pending: 1 });
    const scans = [{ scanId: randomUUID(), confirmationNumber: code, at: app.now().getTime() }];
    const synced = await device.call(syncScans, { eventId, scans });
    expect(synced.body.results).toMatchObject([{ result: 'first' }]);
    expect(JSON.stringify([list.body, synced.body])).not.toContain('band');
  });

  it('delays no one if it cannot be read', async () => {
    const { event, code, ticketId } = await eventWithGuest();
    expectOk(await note(event, ticketId, 'Guest of the band'));
    await sql`alter table order_guests rename to order_guests_away`.execute(app.db);
    const reply = await scan(await doorOf(event), event, code);
    await sql`alter table order_guests_away rename to order_guests`.execute(app.db);
    expect(reply).toMatchObject({ status: 200, body: { result: 'admitted' } });
    expect(reply.body).not.toHaveProperty('notes');
  });

  it('is looked for at events with notes only', async () => {
    const flagOf = async ({ eventId }: Event) =>
      app.db.selectFrom('events').where('id', '=', eventId).select('hasDoorNotes').executeTakeFirstOrThrow();
    const { event, ticketId } = await eventWithGuest();
    expect(await flagOf(event)).toEqual({ hasDoorNotes: false });
    expectOk(await note(event, ticketId, ''));
    expect(await flagOf(event)).toEqual({ hasDoorNotes: false });
    expectOk(await note(event, ticketId, 'Band'));
    expect(await flagOf(event)).toEqual({ hasDoorNotes: true });
    const [asking, comps] = [await eventOnSale(app), await eventOnSale(app)];
    await askBuyers(asking, { questions: [questionForm('Meal')] });
    expect(await flagOf(asking)).toEqual({ hasDoorNotes: false });
    await askBuyers(asking, { questions: [questionForm('Needs', { kind: 'access' })] });
    expect(await flagOf(asking)).toEqual({ hasDoorNotes: true });
    expectOk(await addGuests(comps, [{ name: 'Ada', doorNote: 'Band' }]));
    expect(await flagOf(comps)).toEqual({ hasDoorNotes: true });
  });

  it('of a comp is shown for each of its tickets', async () => {
    const event = await eventOnSale(app);
    expectOk(await addGuests(event, [{ name: 'Ada', doorNote: 'Band', quantity: 2 }]));
    const device = await doorOf(event);
    for (const { confirmationNumber } of await compsOf(event))
      expect(expectOk(await scan(device, event, confirmationNumber)).notes).toEqual([{ label: 'Note', text: 'Band' }]);
  });
});
