import { describe, expect, it } from 'vitest';
import { nestedValues } from './form-values.ts';

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
