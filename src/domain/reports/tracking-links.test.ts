import { describe, expect, it } from 'vitest';
import { isLinkSlug, linkSlugFrom } from './tracking-links.ts';

describe('the ending of a tracking link', () => {
  it.each(['poster', 'a', '2', 'radio-7', 'a'.repeat(40)])('can be %s [LINK-1]', (slug) => {
    expect(isLinkSlug(slug)).toBe(true);
  });

  it.each(['', 'Poster', 'poster ', '-a', 'a-', 'a--b', 'café', '<script>', 'a'.repeat(41), 'a&b', 'a\n'])(
    'can not be %j [LINK-1]',
    (slug) => {
      expect(isLinkSlug(slug)).toBe(false);
    },
  );

  it.each([
    ['Poster in the café', 'poster-in-the-cafe'],
    ["  Zoë's Radio -- 7 ", 'zoes-radio-7'],
    ['東京', ''],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ])('for %j is %j [LINK-1]', (name, slug) => {
    expect(linkSlugFrom(name)).toBe(slug);
    expect(slug === '' || isLinkSlug(slug)).toBe(true);
  });
});
