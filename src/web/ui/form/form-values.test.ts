import { describe, expect, it } from 'vitest';
import { inFieldOrder, nestedValues } from './form-values.ts';

describe('the values of a form', () => {
  it('nests dotted names into objects and lists', () => {
    const values = nestedValues([
      ['title', 'Basement Brass'],
      ['tickets.0.ticketName', 'General'],
      ['tickets.0.ticketPrice', '24'],
      ['tickets.1.ticketName', 'Balcony'],
      ['tickets.1.ticketPrice', '38'],
    ]);

    expect(values).toEqual({
      title: 'Basement Brass',
      tickets: [
        { ticketName: 'General', ticketPrice: '24' },
        { ticketName: 'Balcony', ticketPrice: '38' },
      ],
    });
  });

  it('tells a checked box from an unchecked one, which the browser leaves out', () => {
    expect(nestedValues([['acceptedTerms', 'on']], ['acceptedTerms', 'newsletter'])).toEqual({
      acceptedTerms: true,
      newsletter: false,
    });
  });

  it('keeps an empty field as an empty text', () => {
    expect(nestedValues([['email', '']])).toEqual({ email: '' });
  });

  it('does not let a name reach beyond the form', () => {
    nestedValues([['__proto__.polluted', 'yes']]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('what is wrong with a form', () => {
  const rule = (field: string) => ({ field });

  it('comes in the order of its fields', () => {
    const fields = ['title', 'participants', 'tickets.0.ticketName', 'tickets.0.ticketPrice', 'terms'];
    const broken = ['terms', 'tickets.0.ticketPrice', 'title', 'tickets.0.ticketName', 'participants'].map(rule);

    expect(inFieldOrder(fields, broken)).toEqual(fields.map(rule));
  });

  it('comes with the first field of a group where it is about the group, and last where it is about no field', () => {
    const fields = ['title', 'tickets.0.ticketName', 'terms'];

    expect(inFieldOrder(fields, ['', 'terms', 'tickets', 'title'].map(rule))).toEqual(
      ['title', 'tickets', 'terms', ''].map(rule),
    );
  });
});
