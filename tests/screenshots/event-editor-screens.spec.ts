/** The editor of an event's page: a new event, a draft, and a published event that is changed. */
import { liveBar, previewPane, reviewText, saveStates, eventEditor as text } from '#messages/records/event-editor.ts';
import { newDraft } from '#tests/support/drafts.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { expect, test } from '../journeys/journey.ts';
import { browserOf, closeWindows, dialogOf, putOnSale, readyOrganizer } from '../journeys/organizer-page.ts';
import { settingsOf, take, VARIANTS } from './screenshot.ts';

test.afterEach(({ browser }) => closeWindows({ browser }));

const NARROW = 1000;

for (const variant of VARIANTS)
  test(`event editor, ${variant.name}`, async ({ browser, product }) => {
    const organizer = await readyOrganizer(product);
    const { eventId } = await putOnSale(product, organizer);
    await buyTickets(siteOf(product), eventId, generalAdmission(2));
    const draft = await newDraft(siteOf(product), organizer, { title: 'Cellar Strings' });
    const page = await browserOf(organizer, browser, product, settingsOf(variant));
    const isNarrow = variant.viewport.width < NARROW;
    const preview = page.frameLocator(`iframe[title="${previewPane.frame}"]`);
    const showPreview = async () => {
      if (isNarrow) await page.getByRole('button', { name: text.preview, exact: true }).click();
      await expect(preview.getByRole('heading', { level: 1 })).toBeVisible();
    };

    await page.goto('/events/new');
    await page.getByLabel('Title').fill('Basement Brass');
    await showPreview();
    await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Basement Brass');
    await take(page, `${variant.name}/editor-new`, true);

    await page.goto(`/events/${draft.eventId}/page`);
    await expect(page.getByText(saveStates.saved, { exact: true })).toBeVisible();
    await take(page, `${variant.name}/editor-draft-fields`);
    await showPreview();
    await take(page, `${variant.name}/editor-draft`, true);

    await page.goto(`/events/${eventId}/page`);
    const start = page.getByLabel('Start date and time');
    await start.fill((await start.inputValue()).replace(/T.*/, 'T18:30'));
    await page.getByLabel('Title').fill('Basement Brass, early');
    await expect(page.getByText(/1 buyer will get an email/)).toBeVisible();
    await showPreview();
    await page.getByRole('button', { name: previewPane.desktop, exact: true }).click();
    await take(page, `${variant.name}/editor-live`, true);
    await page.getByRole('button', { name: liveBar.review, exact: true }).click();
    await expect(dialogOf(page, reviewText.title)).toBeVisible();
    await take(page, `${variant.name}/editor-review`);
  });
