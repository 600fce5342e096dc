/** From registration to payout, on a separate server: its clock moves past the end of events. */
import type { Locator, Page } from '@playwright/test';
import { profile } from '#contract/app/accounts.ts';
import { generateCode } from '#contract/app/affiliates.ts';
import { payoutAccountCheck, payoutErrors, payoutRequested } from '#messages/payouts.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { setClock } from '#tests/support/move-clock.ts';
import { buyTickets, logInAgain } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { emailTo, expect, linkIn, withOwnProduct } from './journey.ts';
import {
  browserOf,
  callsOf,
  dialogOf,
  expectFallback,
  expectToasts,
  fillIn,
  memberOf,
  newWindow,
  type Organizer,
  openProfile,
  press,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';
import { completeOnboarding, createEvent, logIn, signUp } from './organizer-steps.ts';

const PROCESSED = "Payout Processed! Visit 'Stripe Dashboard' on your profile for more information.";
const TOO_EARLY = 'You can request your payout 24 hours after the event ends.';

const test = withOwnProduct();

const payoutOf = (page: Page, title: string) => page.getByRole('region', { name: `Payout of ${title}` });
const line = (panel: Locator, label: string) => panel.locator('dl > div').filter({ hasText: label }).locator('dd');

/** When the payout of the newest event opens. */
async function payoutOpensAt({ visitor }: Organizer): Promise<number> {
  const { body } = await visitor.call(profile, {});
  return Date.parse(body.events[0]?.payout.opensAt ?? '');
}

const SECOND = 1000;

test.describe.configure({ mode: 'serial' });

test('a referred organizer pays no processing fee, and later neither does the referrer [AFF-2 AFF-3 PAY-1 PAY-3]', async ({
  browser,
  product,
}) => {
  const referrer = await readyOrganizer(product);
  await referrer.visitor.call(generateCode, {});
  const { affiliateCode } = (await referrer.visitor.call(profile, {})).body;
  const referred = await readyOrganizer(product);
  const event = await putOnSale(product, referred, { affiliateCode: affiliateCode ?? '' });
  expect(event.feeWaiveStatus).toBe(true);
  await buyTickets(siteOf(product), event.eventId, [{ ticketName: 'General admission', quantity: 2 }]);
  await setClock(product.sandboxUrl, new Date((await payoutOpensAt(referred)) + SECOND));

  const page = await newWindow(browser, product);
  await logIn(page, referred.email);
  const panel = payoutOf(page, 'Basement Brass');
  await expect(line(panel, '2 tickets sold')).toHaveText('$48.00');
  await expect(line(panel, 'Ticket fees, 2 paid tickets at 2.0% + $0.75')).toHaveText('−$2.46');
  await expect(line(panel, 'Processing fee')).toHaveText('Waived');
  await expect(line(panel, 'You get')).toHaveText('$45.54');
  await press(page, 'Request Payout');
  await expectToasts(page, [PROCESSED]);
  await expect(panel.getByText('Your payout: $45.54')).toBeVisible();

  await logInAgain(referred);
  await expect(async () => {
    const { body } = await referred.visitor.call(profile, {});
    expect(body.tokenCount).toBe(4);
  }).toPass();

  await logInAgain(referrer);
  const other = await browserOf(referrer, browser, product);
  await openProfile(other);
  await press(other, 'Create Event');
  await fillIn(dialogOf(other, 'Create Event'), nextEvent());
  await expect(dialogOf(other, 'Create Event').locator('[name="latitude"]')).toHaveValue(/^40\.7/);
  await dialogOf(other, 'Create Event').getByRole('button', { name: 'Create Event', exact: true }).click();
  const created = dialogOf(other, 'Event Created');
  await expect(line(created, 'Fee waived')).toHaveText('Yes');
});

test('finance waits for an owner to confirm the payout account, then requests the payout [AUTH-3 ROLE-3]', async ({
  browser,
  product,
  db,
}) => {
  const owner = await readyOrganizer(product);
  const { organizationId } = await storedAccount(db, owner.email);
  const confirmed = (at: Date | null) =>
    db.updateTable('payoutAccounts').set({ confirmedAt: at }).where('organizationId', '=', organizationId).execute();
  const event = await putOnSale(product, owner);
  await buyTickets(siteOf(product), event.eventId, [{ ticketName: 'General admission', quantity: 2 }]);
  const finance = await memberOf(product, owner, 'finance');
  await setClock(product.sandboxUrl, new Date((await payoutOpensAt(owner)) + SECOND));
  await confirmed(null);

  await logInAgain(finance);
  const page = await browserOf(finance, browser, product);
  await openProfile(page);
  const panel = payoutOf(page, 'Basement Brass');
  await expect(panel.getByText(payoutErrors['payout-account.unconfirmed'])).toBeVisible();
  await press(page, 'Request Payout');
  await expectToasts(page, [payoutErrors['payout-account.unconfirmed']]);

  await logInAgain(owner);
  const own = await browserOf(owner, browser, product);
  await openProfile(own);
  await expect(payoutOf(own, 'Basement Brass').getByText(payoutAccountCheck.first)).toBeVisible();

  await confirmed(new Date());
  await page.reload();
  await expect(panel.getByText(payoutErrors['payout-account.unconfirmed'])).toHaveCount(0);
  await press(page, 'Request Payout');
  await expectToasts(page, [payoutRequested]);
});

test('from registration to payout [REG-3 LOGIN-4 PROF-6 EVT-5 EVT-2 PAY-1 PAY-2 PAY-3 PROF-7]', async ({
  browser,
  product,
}) => {
  const email = `treasurer-${Date.now()}@example.com`;
  const title = 'Money Night';
  const page = await newWindow(browser, product);
  await signUp(page, product, email);
  await openProfile(page);
  await completeOnboarding(page);
  const { url } = await createEvent(page, title);
  const eventId = url.split('/').at(-1) ?? '';
  await buyTickets(siteOf(product), eventId, [
    { ticketName: 'Floor', quantity: 4 },
    { ticketName: 'Balcony', quantity: 2 },
  ]);
  await page.reload();
  await showDetails(page);
  await expect(page.getByText('6 tickets sold, $181.00 grossed')).toBeVisible();
  const reply = await page.request.get('/api/protected/profile');
  const opens: number = Date.parse((await reply.json()).events[0].payout.opensAt);

  await setClock(product.sandboxUrl, new Date(opens - 60 * SECOND));
  await logIn(page, email);
  const panel = payoutOf(page, title);
  const request = () => page.getByRole('button', { name: 'Request Payout' }).click();
  await request();
  await expectToasts(page, [TOO_EARLY]);

  await setClock(product.sandboxUrl, new Date(opens));
  await page.reload();
  for (const [label, amount] of [
    ['6 tickets sold', '$181.00'],
    ['Ticket fees, 6 paid tickets at 2.0% + $0.75', '−$8.12'],
    ['Processing fee', '−$15.00'],
    ['You get', '$157.88'],
  ] as const)
    await expect(line(panel, label)).toHaveText(amount);
  await expectFallback(page, '/api/protected/requestPayout', request, 'Error requesting payout');
  const calls = callsOf(page);
  await request();
  await expectToasts(page, [PROCESSED]);
  expect(calls).toMatchObject([{ address: 'POST /api/protected/requestPayout', body: { eventId } }]);
  await expect(panel.getByText('Your payout: $157.88')).toBeVisible();
  await request();
  await expectToasts(page, ['This event was already paid out.']);

  const message = await emailTo(product, email, /paid out$/);
  expect(message.subject).toBe(`${title}: $157.88 paid out`);
  await page.goto(linkIn(message, `/events/${eventId}/money`));
  await expect(panel.getByText('PAID').first()).toBeVisible();
  await openProfile(page);
  await press(page, 'Stripe Dashboard');
  await page.waitForURL(/\/sandbox\/express\//);
  await expect(page.getByText('$157.88').first()).toBeVisible();
});

/** An event far ahead of this server's clock. */
function nextEvent(): Record<string, string> {
  const day = new Date(Date.now() + 60 * 24 * 60 * 60 * SECOND).toISOString().slice(0, 10);
  return {
    title: 'Cellar Strings',
    description: 'Four fiddles.',
    participants: '50',
    street: '178 Bleecker St',
    city: 'New York',
    state: 'NY',
    postalCode: '10012',
    startDate_startTime: `${day}T20:00`,
    endDate_endTime: `${day}T23:00`,
    'tickets.0.ticketName': 'Floor',
    'tickets.0.ticketDescription': 'Standing',
    'tickets.0.ticketPrice': '20',
    'tickets.0.ticketQuantity': '50',
  };
}
