import { describe, expect, it } from 'vitest';
import { sitePathOf } from './site-path.ts';

describe('redirect after registration', () => {
  it.each(['/login?registered', '/profile', '/'])('goes to %s on this site', (path) => {
    expect(sitePathOf(path)).toBe(path);
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/\t/evil.example', ''])(
    'never goes to %j',
    (url) => {
      expect(sitePathOf(url)).toBeNull();
    },
  );
});
