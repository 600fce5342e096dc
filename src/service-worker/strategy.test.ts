import { describe, expect, it } from 'vitest';
import { wayOf } from './strategy.ts';

const origin = 'https://tickets.example';
const way = (address: string, { method = 'GET', mode = 'cors', page = '/scanner' } = {}) =>
  wayOf({ method, mode: mode as RequestMode, url: new URL(address, origin).href }, { origin, page });

describe('The worker', () => {
  it('answers for its own page, whatever its address adds', () => {
    for (const address of ['/scanner', '/scanner/', '/scanner?event=abc'])
      expect(way(address, { mode: 'navigate' })).toBe('page');
    expect(way('/success?session_id=cs_1', { mode: 'navigate', page: '/success' })).toBe('page');
  });

  it('answers for built files', () => {
    expect(way('/static/js/kit-1.js')).toBe('file');
    expect(way('/static/reader-1.wasm', { mode: 'same-origin' })).toBe('file');
  });

  it.each(['/', '/success', '/scanner/deeper', '/scanners', '/profile', '/static/js/kit-1.js'])(
    'leaves the page at %s alone',
    (address) => expect(way(address, { mode: 'navigate' })).toBeNull(),
  );

  it.each([
    '/api/public/checkGuest',
    '/api/public/checkout-session?sessionId=1',
    '/photos/1.webp',
    '/worker.js',
    '/scanner',
  ])('leaves a call or file at %s alone', (address) => expect(way(address)).toBeNull());

  it('leaves alone what changes something, and what is elsewhere', () => {
    expect(way('/static/js/kit-1.js', { method: 'POST' })).toBeNull();
    expect(way('https://elsewhere.example/static/js/kit-1.js')).toBeNull();
    expect(way('https://elsewhere.example/scanner', { mode: 'navigate' })).toBeNull();
  });
});
