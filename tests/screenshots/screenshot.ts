import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { untilStill } from '../journeys/journey.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Themes and screen sizes. */
export const VARIANTS = [
  { name: 'wide-light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'wide-dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

export type Variant = (typeof VARIANTS)[number];
export const settingsOf = ({ colorScheme, viewport }: Variant) => ({ colorScheme, viewport });

export type Take = (screen: string) => Promise<void>;

/** Screenshots used in documents: above the fold, in these variants, compressed. */
const SHOWN: Record<string, string> = {
  'wide-light/event-with-cart': 'event-page.png',
  'wide-dark/event-with-cart': 'event-page-dark.png',
  'wide-light/profile': 'profile.png',
  'phone-light/success': 'tickets.png',
  'phone-light/scanner-admitted': 'scanner.png',
};

/** Captures the whole page, or only the viewport with an open dialog or `isScreenOnly`. */
export async function take(page: Page, name: string, isScreenOnly = false): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await untilStill(page);
  const fullPage = !isScreenOnly && !(await page.getByRole('dialog').first().isVisible());
  await write(join(ROOT, 'screenshots', `${name}.png`), await page.screenshot({ fullPage }));
  const shown = SHOWN[name];
  if (shown) await write(join(ROOT, 'docs/pictures', shown), await compress(await page.screenshot()));
  const landing = LANDING[name];
  if (landing) {
    const picture = sharp(await page.screenshot({ scale: 'device' })).resize({
      width: landing.width,
      withoutEnlargement: true,
    });
    await write(join(ROOT, 'src/web/landing', landing.file), await picture.webp({ quality: 82 }).toBuffer());
  }
}

/** Pictures on the landing page, as wide as they are shown on screens with two pixels per point. */
const LANDING: Record<string, { file: string; width: number }> = {
  'wide-light/event-with-cart': { file: 'landing-event.webp', width: 1200 },
  'phone-light/scanner-admitted': { file: 'landing-door.webp', width: 640 },
  'wide-light/money': { file: 'landing-money.webp', width: 1200 },
  'phone-light/success': { file: 'landing-tickets.webp', width: 640 },
};

const compress = (png: Buffer) => sharp(png).png({ palette: true, quality: 85, effort: 10 }).toBuffer();

async function write(file: string, content: Buffer): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}
