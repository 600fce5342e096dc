import { describe, expect, it } from 'vitest';
import { emailChangedEmail } from './account.ts';
import { renderLayout } from './layout.ts';

const url = 'https://tickets.example/verify-email?token=t';
const emailAbout = (newEmail: string) => renderLayout(emailChangedEmail({ url, newEmail }));

/** What email clients turn into a link by themselves. */
const LINK_LIKE = /[\w-]+\.[a-z]{2,}|[\w.]+@[\w-]+\.|https?:\/\//gi;
const linksIn = (body: string) => body.match(LINK_LIKE)?.filter((link) => !url.includes(link)) ?? [];

describe('an address that a stranger typed', () => {
  it.each([
    'you.won/visit.evil.example/now@attacker.example',
    "http//evil.example/?a=b'@attacker.example",
    'a@evil.example',
  ])('is quoted and never becomes a link: %s [EMAIL-7]', (newEmail) => {
    const { text, html } = emailAbout(newEmail);
    const sentence = /We got a request[^\n]*/.exec(text)?.[0] ?? '';

    expect(sentence.replaceAll('\u2060', '')).toContain(`"${newEmail}"`);
    expect(linksIn(sentence)).toEqual([]);
    expect(html.match(/href="([^"]*)"/g)).toEqual([`href="${url}"`, `href="${url}"`]);
    expect(linksIn(/We got a request[^\n]*/.exec(html)?.[0] ?? '')).toEqual([]);
  });

  it('is shortened to 60 characters [EMAIL-7]', () => {
    const newEmail = `${'win.a.prize.'.repeat(20)}@attacker.example`;
    const { text, html } = emailAbout(newEmail);
    const quote = /"([^"]*)"/.exec(text)?.[1] ?? '';

    expect(Array.from(quote.replaceAll('\u2060', ''))).toHaveLength(60);
    expect(quote).toMatch(/…$/);
    expect(`${text}${html}`).not.toContain('attacker');
  });

  it('appears in no subject or preview [EMAIL-7]', () => {
    const { subject, html } = emailAbout('pay-at-evil.example@attacker.example');

    expect(`${subject}${/<div style="display:none[^>]*>([^<]*)/.exec(html)?.[1]}`).not.toContain('evil');
  });
});
