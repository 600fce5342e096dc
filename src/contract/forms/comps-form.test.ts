import { describe, expect, it } from 'vitest';
import { problemOf } from '#messages/forms.ts';
import { compsForm, guestsOf } from './comps-form.ts';

const form = (guests: string, change: object = {}) => ({
  guests,
  ticketId: 'a',
  quantity: '1',
  doorNote: '',
  raisesQuantity: false,
  ...change,
});

const typed = (guests: string) => guestsOf(form(guests)).map(({ email, name }) => ({ email, name }));

describe('guests as organizers type them', () => {
  it.each([
    ['ada@example.com', [{ email: 'ada@example.com' }]],
    ['Ada Lovelace', [{ name: 'Ada Lovelace' }]],
    ['Ada Lovelace <ada@example.com>', [{ email: 'ada@example.com', name: 'Ada Lovelace' }]],
    ['"Lovelace, Ada" <ada@example.com>', [{ email: 'ada@example.com', name: 'Lovelace, Ada' }]],
    ['Lovelace, Ada', [{ name: 'Lovelace, Ada' }]],
    ['<ada@example.com>', [{ email: 'ada@example.com' }]],
    ['a@example.com, b@example.com;c@example.com', ['a', 'b', 'c'].map((one) => ({ email: `${one}@example.com` }))],
    ['ada@example.com\n\n Kim \r\nADA@example.com', [{ email: 'ADA@example.com' }, { name: 'Kim' }]],
    ['Kim\nKim', [{ name: 'Kim' }, { name: 'Kim' }]],
    ['', []],
    [' \n , \n', [{ name: ',' }]],
  ])('reads %j', (text, guests) => {
    expect(typed(text)).toEqual(guests);
  });

  it.each([
    ['', 'guests', 'guest.missing'],
    ['kim@example.com, sam', 'guests', 'email.invalid'],
    ['Ada <ada>', 'guests', 'email.invalid'],
    ['Ada <>', 'guests', 'email.invalid'],
    ['x'.repeat(101), 'guests', 'guest-name.too-long'],
  ])('rejects %j', (text, field, reason) => {
    const { error } = compsForm.safeParse(form(text));
    expect(error?.issues.map(problemOf)).toMatchObject([{ field, reason }]);
  });

  it('rejects a note that is too long', () => {
    const { error } = compsForm.safeParse(form('Ada', { doorNote: 'x'.repeat(201) }));
    expect(error?.issues.map(problemOf)).toMatchObject([{ field: 'doorNote', reason: 'door-note.too-long' }]);
  });

  it('gives each of them the note', () => {
    expect(guestsOf(form('Ada\nKim', { doorNote: 'Band' })).map(({ doorNote }) => doorNote)).toEqual(['Band', 'Band']);
  });
});
