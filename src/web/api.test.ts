import { describe, expect, it } from 'vitest';
import { addressOf, bodyOf, CallError, messageFrom } from './api.ts';

describe('URL of a call', () => {
  it('fills path segments from the input and sends the rest of a GET as the query', () => {
    const { url } = addressOf(
      { method: 'GET', path: '/api/protected/event/:eventId/guests' },
      { eventId: 'a/b', q: 'sam & lee', after: undefined, limit: 50 },
    );
    expect(url).toBe('/api/protected/event/a%2Fb/guests?q=sam+%26+lee&limit=50');
  });

  it('sends the rest of a PATCH in the body', () => {
    const fields = { eventId: 'x1', title: 'Brass' };
    expect(addressOf({ method: 'PATCH', path: '/api/protected/event/:eventId' }, fields)).toEqual({
      url: '/api/protected/event/x1',
      rest: { title: 'Brass' },
    });
    expect(fields).toHaveProperty('eventId');
  });
});

describe('body of a reply', () => {
  it('is the plain text of a text reply, even if that looks like JSON', () => {
    expect(bodyOf('Password has been successfully reset.', 'text/plain; charset=utf-8')).toBe(
      'Password has been successfully reset.',
    );
    expect(bodyOf('42', 'text/plain')).toBe('42');
  });

  it('is the parsed JSON, and nothing for the HTML page of a proxy', () => {
    expect(bodyOf('{"msg":"Sold out."}', 'application/json; charset=utf-8')).toEqual({ msg: 'Sold out.' });
    expect(bodyOf('<h1>Bad Gateway</h1>', 'text/html')).toBeUndefined();
    expect(bodyOf('', null)).toBeUndefined();
  });
});

describe('message of a failed call', () => {
  it("is the server's if it sent one, otherwise the screen's fallback", () => {
    expect(messageFrom(new CallError(409, 'Sold out.'), 'Login failed.')).toBe('Sold out.');
    expect(messageFrom(new CallError(500), 'Login failed.')).toBe('Login failed.');
    expect(messageFrom(new CallError(0), 'Login failed.')).toBe('Login failed.');
    expect(messageFrom(new TypeError('x is undefined'), 'Login failed.')).toBe('Login failed.');
  });
});
