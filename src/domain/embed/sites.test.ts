import { describe, expect, it } from 'vitest';
import { isEmbedSite } from './sites.ts';

const real = { takesRealMoney: true };
const sandbox = { takesRealMoney: false };

describe('a website that may show tickets', () => {
  it.each([
    'https://www.example.com',
    'https://example.com',
    'https://example.com:8443',
    'https://xn--bcher-kva.example',
    'https://shop.xn--p1ai',
    'https://1.2.example.museum',
  ])('is %s [EMBED-1]', (origin) => {
    expect(isEmbedSite(origin, real)).toBe(true);
  });

  it.each([
    '',
    '*',
    'https://*',
    'https://*.example.com',
    'https://example.com/',
    'https://example.com/shop',
    'https://example.com?a',
    'https://example.com#a',
    'https://user@example.com',
    'https://example.com:',
    'https://example.com:123456',
    'http://example.com',
    'https://intranet',
    'https://203.0.113.5',
    'https://[::1]',
    'https://-a.example',
    'https://a-.example',
    'https://a..example',
    'https://EXAMPLE.com',
    'https://bücher.example',
    `https://${'a'.repeat(64)}.example`,
    `https://${'a.'.repeat(150)}com`,
    "https://example.com 'self'",
    'https://example.com; script-src *',
    'https://example.com,https://other.example',
    'https://example.com\n',
    ' https://example.com',
    'data:',
    'file://example.com',
  ])('is not %j [EMBED-2]', (origin) => {
    expect(isEmbedSite(origin, real)).toBe(false);
    expect(isEmbedSite(origin, sandbox)).toBe(false);
  });

  it('is on the same machine only in the sandbox', () => {
    for (const origin of ['http://localhost', 'http://localhost:8080', 'http://127.0.0.1:3000']) {
      expect(isEmbedSite(origin, sandbox)).toBe(true);
      expect(isEmbedSite(origin, real)).toBe(false);
    }
    expect(isEmbedSite('http://localhost.example.com', sandbox)).toBe(false);
    expect(isEmbedSite('http://127.0.0.1.nip.io', sandbox)).toBe(false);
  });
});
