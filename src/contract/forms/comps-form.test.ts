import { describe, expect, it } from 'vitest';
import { problemOf } from '#messages/forms.ts';
import { typedGuestsProblem } from '#messages/sales/comps.ts';
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
    ['kim@example.com, sam', 'guests', 'email.invalid', '1: sam'],
    ['Ada <ada>', 'guests', 'email.invalid', '1: ada'],
    ['Ada <>', 'guests', 'email.invalid', '1: Ada <>'],
    [
      'ada@example.com\n\nbroken <broken@>\nKim\nbroken@, b@c',
      'guests',
      'email.invalid',
      '3: broken@\n5: broken@\n5: b@c',
    ],
    [`Kim\n${'x'.repeat(101)}`, 'guests', 'guest-name.too-long', '2'],
  ])('rejects %j', (text, field, reason, expected?: string) => {
    const { error } = compsForm.safeParse(form(text));
    expect(error?.issues.map(problemOf)).toEqual([{ field, reason, ...(expected && { expected }) }]);
  });

  it('names each bad line, and of very many the first', () => {
    const { error } = compsForm.safeParse(form(`${'x'.repeat(80)}@\n`.repeat(100)));
    const texts = error?.issues.map(problemOf).map(typedGuestsProblem) ?? [];
    const lines = Array.from({ length: 20 }, (_, at) => `Line ${at + 1}: ${'x'.repeat(60)}… isn't an email address.`);
    expect(texts).toEqual([lines.join(' ')]);
    const long = compsForm
      .safeParse(form(`Kim\n${'x'.repeat(101)}`))
      .error?.issues.map(problemOf)
      .map(typedGuestsProblem);
    expect(long).toEqual(['Line 2: name must be 100 characters or less']);
  });

  it('rejects a note that is too long', () => {
    const { error } = compsForm.safeParse(form('Ada', { doorNote: 'x'.repeat(201) }));
    expect(error?.issues.map(problemOf)).toMatchObject([{ field: 'doorNote', reason: 'door-note.too-long' }]);
  });

  it('gives each of them the note', () => {
    expect(guestsOf(form('Ada\nKim', { doorNote: 'Band' })).map(({ doorNote }) => doorNote)).toEqual(['Band', 'Band']);
  });
});
