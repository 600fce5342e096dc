/** For sales that are faster than the card company: a product that opens few payment pages a second. */
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import type { Db } from '#server/database.ts';
import type { Site } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, withOwnProduct } from './journey.ts';

export const withSlowPages = (secondsAPage: number) =>
  withOwnProduct({ PAGES_PER_SECOND: String(1 / secondsAPage), RATE_LIMIT_SCALE: '0' }).extend<{ place: Site }>({
    place: async ({ product }, use) => use(siteOf(product)),
  });

/** The pace is kept in real time, so it is told that minutes have gone by, once for each buyer who is before this one. */
export async function untilPaymentPage(page: Page, db: Db): Promise<void> {
  await expect
    .poll(async () => {
      await sql`update payment_pace set counted_at = counted_at - interval '5 minutes'`.execute(db);
      return new URL(page.url()).pathname;
    })
    .toMatch(/^\/sandbox\/pay\//);
}
