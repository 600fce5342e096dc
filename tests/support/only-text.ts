import { expect } from 'vitest';

/** Anything that would still act as markup: a tag, or the end of the enclosing block. */
export function expectOnlyText(html: string): void {
  const markup = html.replace(/<script type="application\/(?:ld\+)?json"[^>]*>[^<]*<\/script>/g, '');
  expect(markup).not.toMatch(/<(?:img src=x|svg onload|iframe srcdoc|a href=javascript|style>\*|b>"|script>boom)/i);
  expect(markup.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^<>]*\son[a-z]+=/i);
  expect(html).not.toMatch(/<\/script><img|--><script>/);
}
