import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { doorResults } from '#contract/admission.ts';
import { doorHeadlines } from '#contract/door-words.ts';
import { answer, checkByHand, keepListAway, letChecksBe, phoneSize, sentences, throughDoor } from './door-steps.ts';
import { expectAccessible, untilStill } from './journey.ts';
import { expect, test, toasts } from './public-stage.ts';
import { tabTo } from './without-mouse.ts';

const kinds = [...doorResults, 'unreachable'] as const;
type Kind = (typeof kinds)[number];
/** Of 255: the mean by which two pictures differ. A mark that only changed its colour to one as dark would come near 0. */
const DIFFERENT = 12;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`Every result at the door, in a ${colorScheme} browser,`, () => {
    test.use({ colorScheme });

    test('is a state of its own in words and shape, also in grey, and can be read by all [DOOR-5 DOOR-6]', async ({
      page,
      stage,
    }) => {
      await keepListAway(page);
      await throughDoor(page, stage.onSale);
      const marks = new Map<Kind, Buffer>();
      const cards = new Map<Kind, Buffer>();
      for (const kind of kinds) {
        await draw(page, kind);
        await expectAccessible(page);
        const mark = answer(page).locator(`svg[data-mark="${kind}"]`);
        marks.set(kind, await inGrey(await mark.screenshot(), 32, 32));
        cards.set(kind, await inGrey(await answer(page).screenshot(), 96, 32));
      }

      for (const [one, other] of pairsOf(kinds)) {
        expect(difference(marks, one, other), `the marks of ${one} and ${other}`).toBeGreaterThan(DIFFERENT);
        expect(difference(cards, one, other), `the answers of ${one} and ${other}`).toBeGreaterThan(1);
      }
    });
  });
}

test.describe('A result at the door', () => {
  test('is in large letters, told once, and makes a refusal a toast besides [DOOR-6]', async ({ page, stage }) => {
    await page.setViewportSize(phoneSize);
    await throughDoor(page, stage.onSale);
    await draw(page, 'refunded');
    const headline = answer(page).locator('strong');
    await expect(headline).toHaveText(doorHeadlines.refunded);
    const sizes = await answer(page)
      .locator('strong, span')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    expect(sizes[0]).toBeGreaterThanOrEqual(24);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(18);
    await expect(toasts(page).and(page.getByRole('alert'))).toHaveText([sentences.refunded]);
    await expect(answer(page)).toHaveCount(1);
  });

  test('leaves the focus where it is, and everything is reached by keys', async ({ page, stage }) => {
    await throughDoor(page, stage.onSale);
    await draw(page, 'admitted');
    await expect(page.getByLabel('Confirmation Code')).toBeFocused();
    await page.getByRole('heading', { level: 1 }).focus();
    for (const name of ['Undo', 'Check', 'Sound off', 'Find', 'Start scanner'])
      await tabTo(page, page.getByRole('button', { name, exact: true }));
  });

  test('is kept among the last twenty, the newest first', async ({ page, stage }) => {
    await throughDoor(page, stage.onSale);
    for (let place = 0; place < 21; place++) {
      await letChecksBe(page, place % 2 === 0 ? 'admitted' : 'unknown');
      await checkByHand(page, String(4_102_938_400 + place));
      await expect(answer(page)).toContainText(`…${8400 + place}`);
    }
    const rows = page.getByRole('region', { name: 'Recent' }).getByRole('listitem');
    await expect(rows).toHaveCount(20);
    await expect(rows.first()).toContainText('…8420');
    await expect(rows.nth(1)).toContainText(`…8419 ${doorHeadlines.unknown}`);
    await expect(rows.nth(1)).toContainText(/\d{1,2}:\d\d [AP]M/);
    await expect(page.getByRole('region', { name: 'Recent' })).toContainText('10 of the last 20 checked in');
  });
});

async function draw(page: Page, kind: Kind): Promise<void> {
  await letChecksBe(page, kind === 'unreachable' ? null : kind);
  await checkByHand(page, '4102938475');
  await expect(answer(page).locator(`svg[data-mark="${kind}"]`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check', exact: true })).not.toHaveAttribute('aria-busy', 'true');
  await untilStill(page);
}

const inGrey = (png: Buffer, width: number, height: number) =>
  sharp(png).resize(width, height, { fit: 'fill' }).greyscale().raw().toBuffer();

function pairsOf<Item>(all: readonly Item[]): [Item, Item][] {
  return all.flatMap((one, place) => all.slice(place + 1).map((other): [Item, Item] => [one, other]));
}

function difference(pictures: Map<Kind, Buffer>, one: Kind, other: Kind): number {
  const [mine = Buffer.alloc(0), theirs = Buffer.alloc(0)] = [pictures.get(one), pictures.get(other)];
  const sum = mine.reduce((total, light, place) => total + Math.abs(light - (theirs[place] ?? 0)), 0);
  return sum / mine.length;
}
