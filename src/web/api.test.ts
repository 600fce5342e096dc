import { describe, expect, it } from 'vitest';
import { addressOf, CallError, messageFrom } from './api.ts';

describe('the address of a call', () => {
  it('fills path segments from the input and sends the rest of a GET in the query', () => {
    const { url } = addressOf(
      { method: 'GET', path: '/api/protected/event/:eventId/guests' },
      { eventId: 'a/b', q: 'sam & lee', after: undefined, limit: 50 },
    );
    expect(url).toBe('/api/protected/event/a%2Fb/guests?q=sam+%26+lee&limit=50');
  });

  it('leaves the rest of a PATCH for the body', () => {
    const fields = { eventId: 'x1', title: 'Brass' };
    expect(addressOf({ method: 'PATCH', path: '/api/protected/event/:eventId' }, fields)).toEqual({
      url: '/api/protected/event/x1',
      rest: { title: 'Brass' },
    });
    expect(fields).toHaveProperty('eventId');
  });
});

describe('the sentence of a failed call', () => {
  it("is the server's where it gave one, else the screen's own", () => {
    expect(messageFrom(new CallError(409, 'Sold out.'), 'Login failed.')).toBe('Sold out.');
    expect(messageFrom(new CallError(500), 'Login failed.')).toBe('Login failed.');
    expect(messageFrom(new TypeError('x is undefined'), 'Login failed.')).toBe('Login failed.');
  });
});
