/**
 * The network loses one request for a file of the app without any effect. Files that never load:
 * lost-files-explained.spec.ts.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { createLoginLink } from '#contract/app/payouts.ts';
import { editOrganizationPage } from '#contract/app/sales/organizer-page.ts';
import { factorLogin } from '#messages/accounts/factors.ts';
import { reauthentication } from '#messages/accounts.ts';
import { releaseReservation, reservationReleased } from '#messages/checkout.ts';
import { errorText } from '#messages/errors.ts';
import { embeddedTickets, embedSettings } from '#messages/programs/embed.ts';
import { liveBar, publishList, reviewText } from '#messages/records/event-editor.ts';
import { eventChanged } from '#messages/records/page-changes.ts';
import { topBar } from '#messages/records/top-bar.ts';
import { eventList, palette } from '#messages/records/workspace.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { guestDrawer, guestTablePage } from '#messages/sales/guest-table.ts';
import { orderPage } from '#messages/sales/order-page.ts';
import { orderDrawer } from '#messages/sales/orders.ts';
import { promoField } from '#messages/sales/promo-field.ts';
import { correctAddress } from '#messages/sales/ticket-transfers.ts';
import { addDatesText } from '#messages/series/add-dates.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission, PASSWORD, type Site } from '#tests/support/people.ts';
import type { Product } from '#tests/support/product.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { payWithCard, ticketCodes } from './buyer-steps.ts';
import { answer, checkByHand, openScanner, phoneSize, withPhone } from './check-in-steps.ts';
import { launchPhone } from './chromium.ts';
import { expect, oncePerProduct, openPage, withOwnProduct } from './journey.ts';
import { loseFile, MODULE_RETRY } from './lost-files.ts';
import { dialogOf, fillIn } from './organizer-page.ts';
import { toasts } from './public-setup.ts';
import { cameraShowing, filmOf } from './qr-camera.ts';

const BUILT = fileURLToPath(new URL('../../dist/web/static', import.meta.url));
/** Only loaded on screens with another pixel density, after the draw of a waiting room, or on request. */
const NEVER_REQUESTED = /\/(?:check-draw|DrawCheckCard|layers|layers-2x|loading|marker-icon-2x)-/;
/** Walks run in parallel. */
const PARALLEL_RUNS = 2;
/**
 * Each walk runs once per part, each time without another part of its files, so that files fail alone and together.
 * `LOSE_EACH=1` runs it once per file, which takes many minutes.
 */
const PARTS = process.env['LOSE_EACH'] ? 1000 : 2;

/** An event per parallel run, so that walks do not interfere. */
interface Run {
  site: Site;
  eventId: string;
  draftId: string;
  slug: string;
  title: string;
  attendantCode: string;
  email: string;
  /** Unscanned tickets. */
  numbers: string[];
}

type Walk = (page: Page, run: Run) => Promise<void>;

interface Stage {
  runs: Run[];
  /** Path of a camera video that shows a ticket of the first run. */
  video: string;
  /**
   * Runs a walk in a new context in which the first request for each of these files fails. Resolves to the requested
   * files.
   */
  walkWithout(lost: readonly string[], walk: Walk, run: Run): Promise<string[]>;
  /** The files whose loss a test has tried. */
  lost: Set<string>;
  /** The files that a walk requests when nothing is lost. */
  filesOf(walk: Walk): Promise<string[]>;
}

const stageOf = oncePerProduct(setStage);

const test = withOwnProduct({ RATE_LIMIT_SCALE: '0' }).extend<{ stage: Stage }>({
  stage: async ({ product, browser }, use) => use(await stageOf(product, browser)),
});

async function setStage(product: Product, browser: Browser): Promise<Stage> {
  const runs = await Promise.all(Array.from({ length: PARALLEL_RUNS }, (_, index) => openRun(product, index)));
  // Deleted with the server's data directory.
  const video = join(product.dataDir, 'ticket.y4m');
  await filmOf(runs[0]?.numbers.pop() ?? '', video);
  const asked = new Map<Walk, Promise<string[]>>();
  const stage: Stage = {
    runs,
    video,
    lost: new Set(),
    async walkWithout(lost, walk, run) {
      const phone = walk === attendant ? await launchPhone(cameraShowing(video)) : null;
      try {
        const page = await openPage(phone ?? browser, product, {
          permissions: ['camera'],
          viewport: phoneSize,
          reducedMotion: 'reduce',
        });
        try {
          return await losingFirst(lost, page, () => walk(page, run));
        } finally {
          await page.context().close();
        }
      } finally {
        await phone?.close();
      }
    },
    filesOf(walk) {
      const [run] = runs;
      if (!run) throw new Error('no run');
      const files = asked.get(walk) ?? stage.walkWithout([], walk, run);
      asked.set(walk, files);
      return files;
    },
  };
  return stage;
}

async function openRun(product: Product, index: number): Promise<Run> {
  const site = siteOf(product);
  const title = `Basement Brass ${index + 1}`;
  const { eventId, attendantCode, email, visitor } = await eventOnSale(site, {
    title,
    tickets: [
      { ticketName: 'General admission', ticketDescription: 'Standing', ticketPrice: 24, ticketQuantity: 1000 },
    ],
  });
  await newPromoCode({ visitor, eventId }, promoForm('SPRING'));
  const { eventId: draftId } = await newDraft(site, { visitor }, { title: 'Tin Roof Swing' });
  const slug = `lost-files-${index + 1}`;
  expectOk(await visitor.call(editOrganizationPage, { slug }));
  const { confirmationData } = await buyTickets(site, eventId, generalAdmission(100));
  return {
    site,
    eventId,
    draftId,
    slug,
    title,
    attendantCode,
    email,
    numbers: confirmationData.map(({ confirmationNumber }) => confirmationNumber),
  };
}

async function losingFirst(lost: readonly string[], page: Page, walk: () => Promise<void>): Promise<string[]> {
  const asked = new Set<string>();
  await page.context().route('**/static/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const isFirst = !asked.has(pathname);
    asked.add(pathname);
    return isFirst && lost.includes(pathname) ? route.abort() : route.continue();
  });
  try {
    await walk();
    return [...asked];
  } catch (cause) {
    throw new Error(`without the first request for ${lost.join(', ')}: ${String(cause)}`, { cause });
  }
}

const buyer: Walk = async (page, { eventId }) => {
  await page.goto(`/payment/${eventId}`);
  const add = page.getByRole('button', { name: 'Add to Cart' }).first();
  await add.click();
  await page.locator('.leaflet-container').scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  await page.getByRole('link', { name: 'Request a Refund' }).first().click();
  await page.getByLabel('Confirmation Code').fill('12');
  await page.getByRole('button', { name: 'Request a Refund' }).click();
  await expect(toasts(page)).toHaveText(['Confirmation code must be exactly 10 digits.']);
  await expect(page.getByLabel('Confirmation Code')).toHaveValue('12');
  await page.goBack();
  await expect(page.getByRole('group', { name: 'Quantity of General admission' })).toContainText('1');
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await payWithCard(page, 'bo@example.com');
  await expect(ticketCodes(page)).toHaveCount(1);
  await page.getByRole('button', { name: /^Refund / }).click();
  await page.getByRole('dialog').getByRole('button', { name: orderPage.keep }).click();
  await page.getByRole('button', { name: correctAddress.button }).click();
  await page.getByRole('dialog').getByRole('button', { name: correctAddress.cancel }).click();
  await expect(ticketCodes(page)).toHaveCount(1);
};

const attendant: Walk = async (page, run) => {
  await openScanner(page, run);
  await expect(answer(page)).toContainText(/Let them in|Already in|Unknown code/);
  await checkByHand(page, run.numbers.pop() ?? '');
  await expect(answer(page)).toContainText('Let them in: General admission.');
};

const logIn: Walk = async (page, run) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(run.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
};

const organizer: Walk = async (page, run) => {
  await logIn(page, run);
  await expect(page.getByRole('article', { name: run.title })).toBeVisible();
  const draft = page.getByRole('article', { name: 'Tin Roof Swing' });
  await draft.getByRole('button', { name: lifeActions.publish, exact: true }).click();
  await expect(dialogOf(page, lifeActions.publish)).toBeVisible();
  await page.keyboard.press('Escape');
  await draft.getByRole('button', { name: eventList.show }).click();
  await expect(draft.getByText('Processing fee waived')).toBeVisible();
  await page.getByRole('button', { name: 'Create Event' }).first().click();
  const form = dialogOf(page, 'Create Event');
  await fillIn(form, {
    title: 'Typed once',
    street: '178 Bleecker St',
    city: 'New York',
    state: 'NY',
    postalCode: '10012',
  });
  await form.getByRole('group', { name: /^Map/ }).scrollIntoViewIfNeeded();
  await expect(form.getByRole('button', { name: 'Zoom in' })).toBeVisible();
  await form.getByRole('button', { name: 'Create Event', exact: true }).click();
  await expect(toasts(page).first()).toBeVisible();
  await expect(form.getByLabel('Title')).toHaveValue('Typed once');
  await page.goto(`/door/${run.eventId}`);
  await expect(page.getByText(run.attendantCode).first()).toBeVisible();
  await page.getByRole('button', { name: addDatesText.title }).click();
  await expect(dialogOf(page, addDatesText.title).getByRole('row').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`/events/${run.eventId}/page`);
  await page.getByLabel('Title').fill(`${run.title} again`);
  await page.getByRole('button', { name: liveBar.review, exact: true }).click();
  await expect(dialogOf(page, reviewText.title)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: palette.open }).click();
  await expect(page.getByRole('option', { name: run.title })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(`/events/${run.eventId}/orders`);
  await page.getByRole('row').getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: orderDrawer.close }).click();
  await page.goto(`/events/${run.eventId}/guests`);
  await page.getByRole('row').getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: guestDrawer.close }).click();
  await page.getByRole('link', { name: guestTablePage.print }).click();
  await expect(page.getByRole('heading', { name: guestTablePage.print, level: 1 })).toBeVisible();
  await page.goto('/profile');
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.getByRole('button', { name: topBar.menu }).click();
  await expect(page.getByRole('button', { name: topBar.logOut })).toBeVisible();
  await page.getByRole('button', { name: 'Logout', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
};

/** Opens one screen that no other walk visits. */
const visit =
  (path: string): Walk =>
  async (page) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  };

const visits = [
  '/',
  '/FAQ',
  '/legal',
  '/register',
  '/forgot-password',
  '/reset-password/token',
  '/verify-email?token=token',
  '/confirm-email-change?token=token',
  '/undo-email-change?token=token',
  '/invitation?token=token',
  '/change-email',
  '/privacy',
  '/find-tickets',
  '/privacy/token',
  '/refund/AAAAAAAAAAAAAAAA/token',
  '/report/AAAAAAAAAAAAAAAA',
  '/checkout/handle',
  '/checked-in/AAAAAAAAAAAAAAAA/token',
  '/events/AAAAAAAAAAAAAAAA',
  '/events/AAAAAAAAAAAAAAAA/sales',
  '/events/AAAAAAAAAAAAAAAA/links',
  '/events/AAAAAAAAAAAAAAAA/dates',
  '/events/new',
  '/events/AAAAAAAAAAAAAAAA/page',
  '/events/AAAAAAAAAAAAAAAA/tickets',
  '/events/AAAAAAAAAAAAAAAA/guests',
  '/events/AAAAAAAAAAAAAAAA/orders',
  '/events/AAAAAAAAAAAAAAAA/comps',
  '/events/AAAAAAAAAAAAAAAA/money',
  '/organization/security',
  '/organization/activity',
  '/organization/api',
  '/organization/webhooks/00000000-0000-0000-0000-000000000000',
  '/api/v1/docs',
  '/embed/AAAAAAAAAAAAAAAA/checkout',
  '/organization/team',
  '/organization/page',
  '/organization/funds',
  '/money',
  '/trust',
  '/dashboard',
  '/dashboard/audit',
  '/dashboard/plans',
  '/nowhere',
];

const organizerPage: Walk = (page, run) => visit(`/o/${run.slug}`)(page, run);

const changes: Walk = (page, run) => visit(`/payment/${run.eventId}/changes`)(page, run);

const contact: Walk = (page, run) => visit(`/contact/${run.eventId}`)(page, run);

/** The plans load with the first visit to their screens from another one. */
const terms: Walk = async (page) => {
  await page.goto('/register');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: /^Terms/ })
    .click();
  await expect(page.getByRole('article', { name: 'Terms of service' })).toContainText('$15 per event');
};

/** What a code does loads with the first code, and the way back to an open checkout with the first of these. */
const comingBack: Walk = async (page, { eventId }) => {
  await page.goto(`/payment/${eventId}?code=SPRING`);
  await expect(page.getByText(promoField.applied({ code: 'SPRING', kind: 'percent', value: 20_00 }))).toBeVisible();
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await page.waitForURL(/\/sandbox\/pay\//);
  await page.goto(`/payment/${eventId}`);
  await page.getByRole('button', { name: releaseReservation }).click();
  await expect(toasts(page)).toHaveText([reservationReleased]);
};

/** What has changed loads with the first checkout from an outdated page. */
const outdated: Walk = async (page, { site }) => {
  const event = await eventOnSale(site);
  await page.goto(`/payment/${event.eventId}`);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await editEventOf(site, event, { street: '1 Elsewhere' });
  await page.getByRole('button', { name: 'Checkout' }).first().click();
  await expect(page.getByRole('alert').filter({ hasText: eventChanged.title })).toBeVisible();
};

/** Its bar and its list load with the editor. */
const draft: Walk = async (page, run) => {
  await logIn(page, run);
  await expect(page.getByRole('article', { name: run.title })).toBeVisible();
  await page.goto(`/events/${run.draftId}/page`);
  await expect(page.getByText(publishList.ready)).toBeVisible();
  await expect(page.getByRole('button', { name: lifeActions.publish, exact: true })).toBeVisible();
};

/** In a frame on another website, and as its organizer sets them up. */
const embedded: Walk = async (page, { eventId }) => {
  await page.goto(`/embed/${eventId}`);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await expect(page.getByRole('link', { name: embeddedTickets.checkout })).toBeVisible();
};
const embedding: Walk = async (page, run) => {
  await logIn(page, run);
  await expect(page.getByRole('article', { name: run.title })).toBeVisible();
  await page.goto(`/events/${run.eventId}`);
  await page.getByRole('button', { name: embedSettings.open }).click();
  await expect(dialogOf(page, embedSettings.dialog).getByText(embedSettings.noSites)).toBeVisible();
};

/** The passkey library loads with the first passkey. */
const passkeyLogin: Walk = async (page) => {
  await page.goto('/login');
  const library = page.waitForResponse((response) => /\/esm-[^/]+\.js$/.test(response.url()) && response.ok());
  await page.getByRole('button', { name: factorLogin.withPasskey }).click();
  await library;
};

/** The question for the password loads with the first call that needs it. */
const sensitive: Walk = async (page, run) => {
  await logIn(page, run);
  const json = { code: 'auth.reauthentication-required', params: {}, msg: errorText('auth.reauthentication-required') };
  await page.route(`**${createLoginLink.path}`, (route) => route.fulfill({ status: 403, json }));
  await page.getByRole('button', { name: 'Stripe Dashboard' }).click();
  await expect(dialogOf(page, reauthentication.title)).toBeVisible();
};

/** Parts of the frame that few people see, as an operator's token asks for them. */
const operator: Walk = async (page, { site }) => {
  const claims = { isAdmin: true, exp: Date.now() };
  const value = `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  await page.context().addCookies([{ name: 'token', value, url: site.publicUrl }]);
  await page.goto('/organization/security');
  await page.waitForLoadState('networkidle');
};

const mainWalks = [buyer, attendant, organizer];

const otherWalks: [name: string, walk: Walk][] = [
  ...visits.map((path): [string, Walk] => [path, visit(path)]),
  ['the page of an organization', organizerPage],
  ['the contact form', contact],
  ['the changes of an event', changes],
  ['the plans', terms],
  ['a passkey', passkeyLogin],
  ['a call that needs the password', sensitive],
  ['an operator', operator],
  ['the editor of a draft', draft],
  ['embedded tickets', embedded],
  ['an organizer who embeds tickets', embedding],
  ['a buyer who comes back', comingBack],
  ['a buyer on an outdated page', outdated],
];

test.describe('One lost request', MODULE_RETRY, () => {
  if (process.env['LOSE_EACH']) test.setTimeout(900_000);

  for (const walk of mainWalks)
    test(`of any file has no effect for the ${walk.name}`, async ({ stage }) => {
      await withoutEach(await stage.filesOf(walk), walk, stage);
    });

  for (const [name, walk] of otherWalks)
    test(`of any file that loads first for ${name} has no effect`, async ({ stage }) => {
      for (const main of mainWalks) for (const file of await stage.filesOf(main)) stage.lost.add(file);
      const others = (await stage.filesOf(walk)).filter((file) => !stage.lost.has(file));
      await withoutEach(others, walk, stage);
      for (const file of others) stage.lost.add(file);
    });

  test('is possible for every built file', async ({ stage }) => {
    const seen = new Set<string>();
    for (const walk of [...mainWalks, ...otherWalks.map(([, other]) => other)])
      for (const file of await stage.filesOf(walk)) seen.add(file);
    expect(builtFiles().filter((file) => !seen.has(file) && !NEVER_REQUESTED.test(file))).toEqual([]);
  });
});

test('A decoder that never loads leaves typed codes until it is back', async ({ product, stage }) => {
  const [run] = stage.runs;
  if (!run) throw new Error('no run');
  await withPhone(product, cameraShowing(stage.video), async (page) => {
    const recent = page.getByRole('region', { name: 'Recent' }).getByRole('listitem');
    const lose = await loseFile(page, '**/static/zxing_reader-*.wasm');
    await openScanner(page, run);
    await expect(page.getByText("The scanner couldn't load.")).toBeVisible();
    await checkByHand(page, run.numbers.pop() ?? '');
    await expect(answer(page)).toContainText('Let them in: General admission.');
    await expect(recent).toHaveCount(1);

    await lose.stop();
    await expect(recent).toHaveCount(2);
    await expect(page.getByText("The scanner couldn't load.")).toBeHidden();
  });
});

async function withoutEach(files: readonly string[], walk: Walk, { walkWithout, runs }: Stage): Promise<void> {
  const parts = Array.from({ length: PARTS }, (_, part) => files.filter((_file, index) => index % PARTS === part));
  const waiting = parts.filter((part) => part.length > 0);
  await Promise.all(
    runs.map(async (run) => {
      for (let lost = waiting.pop(); lost; lost = waiting.pop()) await walkWithout(lost, walk, run);
    }),
  );
}

function builtFiles(): string[] {
  return readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:js|css|wasm|woff2|svg|png)$/.test(path))
    .map((path) => `/static/${path}`);
}
