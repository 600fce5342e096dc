import { describe, expect, it } from 'vitest';
import { inFieldOrder, nestedValues } from './form-values.ts';

describe('form values', () => {
  it('nests dotted names into objects and arrays', () => {
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

  it('distinguishes an unchecked box, which browsers omit, from a checked one', () => {
    expect(nestedValues([['acceptedTerms', 'on']], ['acceptedTerms', 'newsletter'])).toEqual({
      acceptedTerms: true,
      newsletter: false,
    });
  });

  it('keeps an empty field as an empty string', () => {
    expect(nestedValues([['email', '']])).toEqual({ email: '' });
  });

  it('rejects names that reach the prototype', () => {
    nestedValues([['__proto__.polluted', 'yes']]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('form problems', () => {
  const rule = (field: string) => ({ field });

  it('are ordered like the fields', () => {
    const fields = ['title', 'participants', 'tickets.0.ticketName', 'tickets.0.ticketPrice', 'terms'];
    const broken = ['terms', 'tickets.0.ticketPrice', 'title', 'tickets.0.ticketName', 'participants'].map(rule);

    expect(inFieldOrder(fields, broken)).toEqual(fields.map(rule));
  });

  it('are placed at the first field of their group, or last without a field', () => {
    const fields = ['title', 'tickets.0.ticketName', 'terms'];

    expect(inFieldOrder(fields, ['', 'terms', 'tickets', 'title'].map(rule))).toEqual(
      ['title', 'tickets', 'terms', ''].map(rule),
    );
  });
});
