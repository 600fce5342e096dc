/** Keyboard-only navigation. */
import { expect, type Locator, type Page } from '@playwright/test';

const MAX_TABS = 100;

export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(target)} was not reached in ${MAX_TABS} tabs`);
}

export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

const CONTROLS =
  'a[href], button:enabled, input:enabled:not([type="hidden"]), select:enabled, textarea:enabled, summary';
/** On the controls that are still to be reached. */
const AWAITED = 'data-awaits-focus';

/** Tab reaches every control that is shown, and scrolls it into the window. Of a radio group, that is the chosen one. */
export async function expectTabReachesAll(page: Page, region: Locator): Promise<void> {
  const tabs = await region.evaluate(markControls, { controls: CONTROLS, awaited: AWAITED });
  const awaited = region.locator(`[${AWAITED}]`);
  for (let tab = 0; tab < tabs && (await awaited.count()) > 0; tab++) {
    await page.keyboard.press('Tab');
    await page.evaluate(unmarkFocused, AWAITED);
  }
  expect(await awaited.evaluateAll((left) => left.map(({ outerHTML }) => outerHTML)), page.url()).toEqual([]);
}

/** Runs in the browser. Returns how often to press Tab to pass everything on the page. */
function markControls(region: Element, { controls, awaited }: { controls: string; awaited: string }): number {
  for (const control of region.querySelectorAll(controls)) {
    const isOtherChoice = control instanceof HTMLInputElement && control.type === 'radio' && !control.checked;
    const isShown = control.checkVisibility({ visibilityProperty: true }) && !control.closest('[inert]');
    if (isShown && !isOtherChoice && control.getAttribute('tabindex') !== '-1') control.setAttribute(awaited, '');
  }
  return document.querySelectorAll(controls).length + 20;
}

/** Runs in the browser. */
function unmarkFocused(awaited: string): void {
  const { activeElement: control } = document;
  if (!control) return;
  const { top, bottom } = control.getBoundingClientRect();
  if (top < innerHeight && bottom > 0) control.removeAttribute(awaited);
}
