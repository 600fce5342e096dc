/** For sales that are faster than Stripe: a server that opens few payment pages per second. */
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Site } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, withOwnProduct } from './journey.ts';

export const withSlowQueue = (secondsPerPage: number) =>
  withOwnProduct({ PAGES_PER_SECOND: String(1 / secondsPerPage), RATE_LIMIT_SCALE: '0' }).extend<{ site: Site }>({
    site: async ({ product }, use) => use(siteOf(product)),
  });

/**
 * The rate limit runs in real time, so this moves its clock forward by five minutes per poll, once for each buyer
 * ahead.
 */
export async function untilPaymentPage(page: Page, db: Db): Promise<void> {
  await expect
    .poll(async () => {
      await sql`update checkout_rate set counted_at = counted_at - interval '5 minutes'`.execute(db);
      return new URL(page.url()).pathname;
    })
    .toMatch(/^\/sandbox\/pay\//);
}
