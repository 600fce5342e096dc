import { describe, expect, it } from 'vitest';
import { strategyFor } from './strategy.ts';

const origin = 'https://tickets.example';
const strategy = (address: string, { method = 'GET', mode = 'cors', page = '/scanner' } = {}) =>
  strategyFor({ method, mode: mode as RequestMode, url: new URL(address, origin).href }, { origin, page });

describe('strategyFor', () => {
  it('answers navigations to its own page, with any query', () => {
    for (const address of ['/scanner', '/scanner/', '/scanner?event=abc'])
      expect(strategy(address, { mode: 'navigate' })).toBe('page');
    expect(strategy('/success?session_id=cs_1', { mode: 'navigate', page: '/success' })).toBe('page');
  });

  it('answers requests for built files', () => {
    expect(strategy('/static/js/kit-1.js')).toBe('file');
    expect(strategy('/static/reader-1.wasm', { mode: 'same-origin' })).toBe('file');
  });

  it.each(['/', '/success', '/scanner/deeper', '/scanners', '/profile', '/static/js/kit-1.js'])(
    'leaves the page at %s alone',
    (address) => expect(strategy(address, { mode: 'navigate' })).toBeNull(),
  );

  it.each([
    '/api/public/checkGuest',
    '/api/public/checkout-session?sessionId=1',
    '/photos/1.webp',
    '/worker.js',
    '/scanner',
  ])('leaves the request for %s alone', (address) => expect(strategy(address)).toBeNull());

  it('leaves non-GET and cross-origin requests alone', () => {
    expect(strategy('/static/js/kit-1.js', { method: 'POST' })).toBeNull();
    expect(strategy('https://elsewhere.example/static/js/kit-1.js')).toBeNull();
    expect(strategy('https://elsewhere.example/scanner', { mode: 'navigate' })).toBeNull();
  });
});
