/** A webhook, from the account to the first delivery, and what its log is for. */

import { apiKeysPage } from '#messages/programs/api-keys-page.ts';
import { typeNames, webhookDone, webhookLog, webhooksPage } from '#messages/programs/webhooks.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { startReceiver, verify } from '#tests/support/webhook-receiver.ts';
import { expect, expectAccessible, expectFits, test } from './journey.ts';
import * as keyboard from './keyboard.ts';
import { browserOf, dialogOf, expectToasts, openProfile, putOnSale, readyOrganizer } from './organizer-page.ts';

test('a webhook is added with the keyboard, told of a sale, tested, rotated and ended [HOOK-1 HOOK-2 HOOK-4]', async ({
  browser,
  product,
}) => {
  const owner = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, owner, { title: 'Basement Brass' });
  const receiver = await startReceiver();
  const page = await browserOf(owner, browser, product, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openProfile(page);
  await page.getByRole('link', { name: apiKeysPage.title, exact: true }).click();
  await expect(page.getByText(webhooksPage.none)).toBeVisible();

  await keyboard.press(page, page.getByRole('button', { name: webhooksPage.create, exact: true }));
  const dialog = dialogOf(page, webhooksPage.createTitle);
  await keyboard.type(page, dialog.getByRole('textbox', { name: webhooksPage.url }), 'http://10.0.0.1/hooks');
  await keyboard.press(page, dialog.getByRole('button', { name: webhooksPage.send }));
  await expect(dialog.getByText(/reachable from the internet/)).toBeVisible();
  await dialog.getByRole('textbox', { name: webhooksPage.url }).fill(receiver.url);
  await dialog.getByLabel(typeNames['ticket.checked_in']).press('Space');
  await expectAccessible(page);
  await keyboard.press(page, dialog.getByRole('button', { name: webhooksPage.send }));
  const made = dialogOf(page, webhooksPage.madeTitle);
  await expect(made.getByText(webhooksPage.secret)).toBeVisible();
  await expectAccessible(page);
  await keyboard.press(page, made.getByRole('button', { name: webhooksPage.copy }));
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toMatch(/^whsec_/);
  const secret = await copied();
  await keyboard.press(page, made.getByRole('button', { name: webhooksPage.done }));

  await buyTickets(siteOf(product), eventId, generalAdmission(1));
  await expect.poll(() => receiver.received.map(({ type }) => type)).toEqual(['order.paid']);
  const [sale] = receiver.received;
  if (!sale) throw new Error('nothing arrived');
  expect(verify(secret, sale)).toMatchObject({ data: { event_id: eventId } });

  await keyboard.press(page, page.getByRole('link', { name: webhooksPage.logLabel(receiver.url) }));
  const table = page.getByRole('table', { name: webhookLog.caption });
  await expect(table).toContainText(typeNames['order.paid']);
  await expect(page.getByText(secret)).toHaveCount(0);
  await keyboard.press(page, page.getByRole('button', { name: webhookLog.test }));
  await expectToasts(page, [webhookDone.tested]);
  await expect.poll(() => receiver.received.at(-1)?.type).toBe('webhook.test');
  await keyboard.press(page, page.getByRole('button', { name: new RegExp(typeNames['order.paid']) }));
  await expectToasts(page, [webhookDone.sentAgain]);
  await expect.poll(() => receiver.received.map(({ id }) => id).filter((id) => id === sale.id)).toHaveLength(2);

  await page.setViewportSize({ width: 320, height: 800 });
  await keyboard.press(page, page.getByRole('button', { name: webhookLog.edit, exact: true }));
  const editing = dialogOf(page, webhookLog.editTitle);
  await expect(editing.getByRole('checkbox', { name: typeNames['order.paid'], exact: true })).toBeChecked();
  await keyboard.tabTo(page, editing.getByRole('checkbox', { name: typeNames['refund.sent'], exact: true }));
  await page.keyboard.press('Space');
  await expect(editing.getByRole('checkbox', { name: typeNames['refund.sent'], exact: true })).toBeChecked();
  await expectFits(page);
  await expectAccessible(page);
  await keyboard.press(page, editing.getByRole('button', { name: webhookLog.save }));
  await expectToasts(page, [webhookDone.edited]);
  await keyboard.press(page, page.getByRole('button', { name: webhookLog.edit, exact: true }));
  await expect(editing.getByRole('checkbox', { name: typeNames['refund.sent'], exact: true })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(editing).toBeHidden();
  await expectFits(page);
  await expectAccessible(page);
  await keyboard.press(page, page.getByRole('button', { name: webhookLog.rotate }));
  await keyboard.press(page, dialogOf(page, webhookLog.rotateTitle).getByRole('button', { name: webhookLog.rotate }));
  const rotated = dialogOf(page, webhooksPage.rotatedTitle);
  await expect(rotated.getByText(webhooksPage.rotated)).toBeVisible();
  await expectFits(page);
  await keyboard.press(page, rotated.getByRole('button', { name: webhooksPage.done }));

  await keyboard.press(page, page.getByRole('button', { name: webhookLog.end }));
  await keyboard.press(page, dialogOf(page, webhookLog.endTitle).getByRole('button', { name: webhookLog.end }));
  await expectToasts(page, [webhookDone.ended]);
  await expect(page.getByText(webhooksPage.endReason.member)).toBeVisible();
  await expect(page.getByRole('button', { name: webhookLog.test })).toHaveCount(0);
  await receiver.close();
});
