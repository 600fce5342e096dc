/** Mail scanners open the links of an email before its reader does, and some run the page's scripts. */
import { sql } from 'kysely';
import { changeEmail, forgotPassword } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { requestRecordsLink } from '#contract/app/privacy.ts';
import { invite } from '#contract/app/team.ts';
import type { Db } from '#server/platform/database.ts';
import { attendantOf, emailsTo } from '#tests/support/people.ts';
import { openPage } from './journey.ts';
import { askForRefund, expect, seatsOnSale, sellSeats, test } from './money-setup.ts';
import { verifiedAccount } from './organizer-page.ts';
import { okay } from './public-setup.ts';

/** What an opened link could act on. Workers write other tables at any time. */
const TABLES = [
  'users',
  'user_factors',
  'recovery_codes',
  'sessions',
  'email_links',
  'organizations',
  'memberships',
  'invitations',
  'payout_accounts',
  'events',
  'orders',
  'tickets',
  'early_check_ins',
  'refunds',
  'privacy_links',
  'audit_events',
];
/** Links whose pages have a button. A verification link acts at once, and grants nothing by itself. */
const ACTING = /\/(?:refund|checked-in|privacy|reset-password|invitation|confirm-email-change|undo-email-change)\b/;

/** A hash of each table's rows. */
async function contentsOf(db: Db): Promise<string[]> {
  const hashes = TABLES.map(async (table) => {
    const { rows } = await sql<{ hash: string }>`
      select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${sql.table(table)} t`.execute(
      db,
    );
    return `${table} ${rows[0]?.hash}`;
  });
  return Promise.all(hashes);
}

test('Every link of an email can be opened by a scanner that runs scripts, and changes nothing [AUTH-10]', async ({
  browser,
  money,
  db,
}) => {
  const { product, site } = money;
  const event = await seatsOnSale(money, 'Scanned First');
  const refund = await askForRefund(money, event.eventId);
  const early = await sellSeats(money, event.eventId, 1);
  const door = await attendantOf(site, event.eventId, event.attendantCode);
  okay(await door.call(checkGuest, { eventId: event.eventId, confirmationNumber: early.codes[0] ?? '' }));
  okay(await site.call(requestRecordsLink, { email: early.email }));
  const owner = await verifiedAccount(product);
  okay(await owner.visitor.call(changeEmail, { newEmail: 'scanned-new-home@example.com' }));
  okay(await owner.visitor.call(invite, { email: 'scanned-guest@example.com', role: 'viewer', onlyEventIds: null }));
  okay(await site.call(forgotPassword, { email: owner.email }));
  const emails = [];
  for (const address of [early.email, owner.email, 'scanned-new-home@example.com', 'scanned-guest@example.com'])
    emails.push(...(await emailsTo(site, address)));
  const links = emails.flatMap(({ text }) => text.match(/https?:\/\/\S+/g) ?? []).filter((link) => ACTING.test(link));
  links.push(new URL(refund.link, product.url).href);
  const kinds = new Set(links.map((link) => ACTING.exec(link)?.[0]));
  expect(kinds.size).toBe(7);
  const before = await contentsOf(db);

  const scanner = await openPage(browser, product);
  for (const link of links) {
    await scanner.goto(link);
    await expect(scanner.getByRole('heading', { level: 1 })).toBeVisible();
    await scanner.waitForLoadState('networkidle');
  }

  await site.settle();
  expect(await contentsOf(db)).toEqual(before);
});
