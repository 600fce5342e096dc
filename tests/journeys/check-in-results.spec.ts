import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { checkInStatuses } from '#contract/app/check-in.ts';
import { checkInHeadlines } from '#messages/check-in.ts';
import {
  answer,
  blockTicketList,
  checkByHand,
  mockChecks,
  openScanner,
  phoneSize,
  serverMessages,
} from './check-in-steps.ts';
import { expectAccessible, untilStill } from './journey.ts';
import { tabTo } from './keyboard.ts';
import { expect, test, toasts } from './public-setup.ts';

const kinds = [...checkInStatuses, 'unreachable'] as const;
type Kind = (typeof kinds)[number];
/** Mean difference of two images, of 255. A mark that only changed to an equally dark color would come near 0. */
const DIFFERENT = 12;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`Every check-in result, in a ${colorScheme} browser,`, () => {
    test.use({ colorScheme });

    test('differs in words and shape, also in grayscale, and is accessible [DOOR-5 DOOR-6]', async ({
      page,
      stage,
    }) => {
      await blockTicketList(page);
      await openScanner(page, stage.onSale);
      const marks = new Map<Kind, Buffer>();
      const cards = new Map<Kind, Buffer>();
      for (const kind of kinds) {
        await showResult(page, kind);
        await expectAccessible(page);
        const mark = answer(page).locator(`svg[data-mark="${kind}"]`);
        marks.set(kind, await inGrayscale(await mark.screenshot(), 32, 32));
        cards.set(kind, await inGrayscale(await answer(page).screenshot(), 96, 32));
      }

      for (const [one, other] of pairsOf(kinds)) {
        expect(difference(marks, one, other), `the marks of ${one} and ${other}`).toBeGreaterThan(DIFFERENT);
        expect(difference(cards, one, other), `the answers of ${one} and ${other}`).toBeGreaterThan(1);
      }
    });
  });
}

test.describe('A check-in result', () => {
  test('is large, announced once, and also shown as a toast if denied [DOOR-6]', async ({ page, stage }) => {
    await page.setViewportSize(phoneSize);
    await openScanner(page, stage.onSale);
    await showResult(page, 'refunded');
    const headline = answer(page).locator('strong');
    await expect(headline).toHaveText(checkInHeadlines.refunded);
    const sizes = await answer(page)
      .locator('strong, span')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    expect(sizes[0]).toBeGreaterThanOrEqual(24);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(18);
    await expect(toasts(page).and(page.getByRole('alert'))).toHaveText([serverMessages.refunded]);
    await expect(answer(page)).toHaveCount(1);
  });

  test('keeps the focus, and every control is reachable by keyboard', async ({ page, stage }) => {
    await openScanner(page, stage.onSale);
    await showResult(page, 'admitted');
    await expect(page.getByLabel('Confirmation Code')).toBeFocused();
    await page.getByRole('heading', { level: 1 }).focus();
    for (const name of ['Undo', 'Check', 'Sound off', 'Find', 'Start scanner'])
      await tabTo(page, page.getByRole('button', { name, exact: true }));
  });

  test('is listed among the last twenty, newest first', async ({ page, stage }) => {
    await openScanner(page, stage.onSale);
    for (let index = 0; index < 21; index++) {
      await mockChecks(page, index % 2 === 0 ? 'admitted' : 'unknown');
      await checkByHand(page, String(4_102_938_400 + index));
      await expect(answer(page)).toContainText(`…${8400 + index}`);
    }
    const rows = page.getByRole('region', { name: 'Recent' }).getByRole('listitem');
    await expect(rows).toHaveCount(20);
    await expect(rows.first()).toContainText('…8420');
    await expect(rows.nth(1)).toContainText(`…8419 ${checkInHeadlines.unknown}`);
    await expect(rows.nth(1)).toContainText(/\d{1,2}:\d\d [AP]M/);
    await expect(page.getByRole('region', { name: 'Recent' })).toContainText('10 of the last 20 checked in');
  });
});

async function showResult(page: Page, kind: Kind): Promise<void> {
  await mockChecks(page, kind === 'unreachable' ? null : kind);
  await checkByHand(page, '4102938475');
  await expect(answer(page).locator(`svg[data-mark="${kind}"]`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check', exact: true })).not.toHaveAttribute('aria-busy', 'true');
  await untilStill(page);
}

const inGrayscale = (png: Buffer, width: number, height: number) =>
  sharp(png).resize(width, height, { fit: 'fill' }).greyscale().raw().toBuffer();

function pairsOf<Item>(all: readonly Item[]): [Item, Item][] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other): [Item, Item] => [one, other]));
}

function difference(images: Map<Kind, Buffer>, one: Kind, other: Kind): number {
  const [mine = Buffer.alloc(0), theirs = Buffer.alloc(0)] = [images.get(one), images.get(other)];
  const sum = mine.reduce((total, light, index) => total + Math.abs(light - (theirs[index] ?? 0)), 0);
  return sum / mine.length;
}
