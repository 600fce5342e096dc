/** Names and answers in the guest list and its file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { eventTickets } from '#contract/app/events.ts';
import { guestPage } from '#contract/app/guests.ts';
import { askBuyers, buyWithDetails, questionForm } from '#tests/support/guest-forms.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission, logInAgain } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('the guest list of an event that asks', () => {
  it('has each name and answer at its ticket, on the screen and in the file [FORM-6]', async () => {
    const seller = await eventOnSale(app);
    const { eventId, visitor } = seller;
    await buyTickets(app, eventId, generalAdmission(1), 'before@example.com');
    const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
    const balcony = tickets.find(({ ticketName }) => ticketName === 'Balcony')?.ticketId ?? '';
    const { Meal: meal = '', Heard: heard = '' } = await askBuyers(seller, {
      asksNames: 'required',
      questions: [
        questionForm('Meal', { kind: 'any-of', options: ['Soup', 'Pie'], ticketIds: [balcony] }),
        questionForm('Heard', { scope: 'order', isRequired: false }),
      ],
    });
    await buyWithDetails(
      app,
      eventId,
      {
        order: { answers: { [heard]: '=SUM(A1)' } },
        tickets: [{ name: 'Omar' }, { name: 'Sofia', answers: { [meal]: ['Pie', 'Soup'] } }],
      },
      {
        email: 'sofia@example.com',
        cartItems: [
          { ticketName: 'General admission', quantity: 1 },
          { ticketName: 'Balcony', quantity: 1 },
        ],
      },
    );

    const expected = [
      ['General admission', undefined, undefined],
      ['General admission', 'Omar', [{ label: 'Heard', answer: '=SUM(A1)' }]],
      [
        'Balcony',
        'Sofia',
        [
          { label: 'Meal', answer: 'Pie, Soup' },
          { label: 'Heard', answer: '=SUM(A1)' },
        ],
      ],
    ];
    const { guestList } = expectOk(await visitor.call(guestPage, { eventId }));
    // The tickets of an order are in no order.
    const byName = (one: unknown[], other: unknown[]) => String(one[1] ?? '').localeCompare(String(other[1] ?? ''));
    const shown = (list: typeof guestList) =>
      list.map(({ ticketName, name, answers }) => [ticketName, name, answers]).sort(byName);
    expect(shown(guestList)).toEqual(expected);
    const { events } = expectOk(await visitor.call(profile, {}));
    expect(shown(events[0]?.guestList ?? [])).toEqual(expected);

    // A question that was removed keeps its column; renamed, it has its newest name.
    await askBuyers(seller, { asksNames: 'off', questions: [{ ...questionForm('Dish'), questionId: meal }] });
    await logInAgain(seller);
    const file = await (await visitor.fetch(`/api/protected/event/${eventId}/guests.csv`)).text();
    const rows = file.trim().split('\r\n');
    expect(rows[0]).toMatch(/"Note","Name","Dish","Heard"$/);
    const given = rows.slice(1).map((row) => row.split(',').slice(8).join(','));
    expect(given.sort()).toEqual([`"Omar","","'=SUM(A1)"`, '"Sam Buyer","",""', `"Sofia","Pie, Soup","'=SUM(A1)"`]);
  });

  it('has the names of buyers only for an event that never asked', async () => {
    const seller = await eventOnSale(app);
    await buyTickets(app, seller.eventId, generalAdmission(1));
    await logInAgain(seller);
    const file = await (await seller.visitor.fetch(`/api/protected/event/${seller.eventId}/guests.csv`)).text();
    expect(file.split('\r\n')[0]).toMatch(/"Note","Name"$/);
  });
});
