/** What a browser loads to open a screen of an organizer, with everything that loads by itself. */
import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from './journey.ts';
import { browserOf, closeWindows, putOnSale, readyOrganizer } from './organizer-page.ts';

/** As in `npm run lighthouse`. */
const HOME_MAX_KB = 220;
const TAB_MAX_KB = 180;
const TABS = ['', '/dates', '/guests', '/orders', '/tickets', '/page', '/door', '/money'];

test.afterEach(({ browser }) => closeWindows({ browser }));

test('a tab of an event opens with at most 180 kB of script, and the home with 220 [WORK-13]', async ({
  browser,
  product,
}) => {
  const organizer = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, organizer);
  await buyTickets(siteOf(product), eventId, generalAdmission(2));
  const screens = [
    ['/profile', HOME_MAX_KB] as const,
    ...TABS.map((tab) => [`/events/${eventId}${tab}`, TAB_MAX_KB] as const),
  ];

  for (const [path, limit] of screens) {
    const page = await browserOf(organizer, browser, product, { viewport: { width: 412, height: 823 } });
    expect(await scriptsOf(page, path), path).toBeLessThanOrEqual(limit);
    await page.context().close();
  }
});

/** In kilobytes, compressed. */
async function scriptsOf(page: Page, path: string): Promise<number> {
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response);
  });
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const bodies = await Promise.all(scripts.map((script) => script.body()));
  return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / 1000;
}
