import { describe, expect, it } from 'vitest';
import { denySlug, slugFrom } from './organization-page.ts';

describe('the address of a page', () => {
  it('has 3 to 40 lowercase letters, digits and hyphens, and is none of ours [PAGE-1]', () => {
    for (const slug of ['abc', 'cooperage-nights', 'club-54', 'a'.repeat(40), '007'])
      expect([slug, denySlug(slug)]).toEqual([slug, null]);
    for (const slug of [
      '',
      'ab',
      'Login',
      'a'.repeat(41),
      'Cooperage',
      '-abc',
      'abc-',
      'a--b',
      'a_b',
      'a b',
      'café',
      'abc\n',
    ])
      expect([slug, denySlug(slug)]).toEqual([slug, 'slug-invalid']);
    for (const slug of ['o', 'login', 'api', 'support', 'handstamp'])
      expect([slug, denySlug(slug)]).toEqual([slug, 'slug-taken']);
  });

  it('is proposed from the name', () => {
    expect(slugFrom('Cooperage Nights & Co.')).toBe('cooperage-nights-co');
    expect(slugFrom("Zoë's Café")).toBe('zoes-cafe');
    expect(slugFrom(`${'long '.repeat(9)}name`)).toBe('long-long-long-long-long-long-long-long');
    for (const name of ['', '!!', '東京', 'Login', 'AB']) expect(slugFrom(name)).toBeNull();
  });
});
