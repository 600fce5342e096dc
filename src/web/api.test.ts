import { describe, expect, it } from 'vitest';
import { addressOf, bodyOf, CallError, messageFrom } from './api.ts';

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

describe('the body of an answer', () => {
  it('is the bare sentence where the server answers with text, also where that looks like JSON', () => {
    expect(bodyOf('Password has been successfully reset.', 'text/plain; charset=utf-8')).toBe(
      'Password has been successfully reset.',
    );
    expect(bodyOf('42', 'text/plain')).toBe('42');
  });

  it('is what the JSON says, and nothing where a proxy answers with a page of its own', () => {
    expect(bodyOf('{"msg":"Sold out."}', 'application/json; charset=utf-8')).toEqual({ msg: 'Sold out.' });
    expect(bodyOf('<h1>Bad Gateway</h1>', 'text/html')).toBeUndefined();
    expect(bodyOf('', null)).toBeUndefined();
  });
});

describe('the sentence of a failed call', () => {
  it("is the server's where it gave one, else the screen's own", () => {
    expect(messageFrom(new CallError(409, 'Sold out.'), 'Login failed.')).toBe('Sold out.');
    expect(messageFrom(new CallError(500), 'Login failed.')).toBe('Login failed.');
    expect(messageFrom(new CallError(0), 'Login failed.')).toBe('Login failed.');
    expect(messageFrom(new TypeError('x is undefined'), 'Login failed.')).toBe('Login failed.');
  });
});
