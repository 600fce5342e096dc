/** What each role is shown: on "Your events", in the navigation, and at the addresses of screens that are not for it. */
import type { Page } from '@playwright/test';
import { type Action, type Role, roles } from '#domain/accounts/roles.ts';
import { roleNames, teamPage } from '#messages/accounts/team.ts';
import { memberEntry } from '#messages/check-in.ts';
import { errorText } from '#messages/errors.ts';
import { downloadGuestList } from '#messages/guests.ts';
import { tryAgain } from '#messages/pages.ts';
import { apiKeysPage } from '#messages/programs/api-keys-page.ts';
import { webhookLog } from '#messages/programs/webhooks.ts';
import { activityPage, auditPage } from '#messages/records/audit.ts';
import { previewPane } from '#messages/records/event-editor.ts';
import { fundsPage } from '#messages/records/funds.ts';
import { overview } from '#messages/records/overview.ts';
import { payoutsPage } from '#messages/records/payouts-page.ts';
import { planTexts } from '#messages/records/plans.ts';
import { salesPage } from '#messages/records/sales-report.ts';
import { linksPage } from '#messages/records/tracking-links.ts';
import { eventList, moneyTab } from '#messages/records/workspace.ts';
import { compsPage } from '#messages/sales/comps.ts';
import { guestTablePage } from '#messages/sales/guest-table.ts';
import { ordersPage } from '#messages/sales/orders.ts';
import { pageSettings } from '#messages/sales/page-settings.ts';
import { ticketSettings } from '#messages/sales/ticket-settings.ts';
import { seriesDates } from '#messages/series/series-changes.ts';
import { buyTickets, generalAdmission } from '#tests/support/people.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { sendInvitation } from '#tests/support/team.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { expect, oncePerProduct, test } from './journey.ts';
import {
  browserOf,
  closeWindows,
  memberOf,
  openProfile,
  putOnSale,
  readyOrganizer,
  showDetails,
} from './organizer-page.ts';

const all: readonly Role[] = roles;
const managers: readonly Role[] = ['owner', 'admin'];
const editors: readonly Role[] = ['owner', 'admin', 'editor'];
const guestViewers: readonly Role[] = [...editors, 'finance'];
const salesViewers: readonly Role[] = [...guestViewers, 'viewer'];

/** Every link and button that not all roles have, and who has it. */
const CONTROLS: Record<string, readonly Role[]> = {
  'Create Event': editors,
  'Edit Event': editors,
  [eventList.open]: all,
  Door: editors,
  'Door QR': editors,
  'Change the attendant code': editors,
  'Check in guests': ['check-in'],
  'Add Photos': editors,
  'Delete Photos': editors,
  'Cancel Event': managers,
  'Request Payout': ['owner', 'finance'],
  'Hide Guest List': guestViewers,
  [guestTablePage.all]: guestViewers,
  'Resend Ticket': editors,
  [downloadGuestList]: ['owner', 'admin', 'finance'],
  'Update Info': ['owner'],
  'Connect Stripe': ['owner'],
  'Stripe Dashboard': ['owner'],
  'Affiliate Program': managers,
  [teamPage.title]: managers,
  [fundsPage.title]: ['owner', 'admin', 'finance'],
  [activityPage.title]: managers,
  [apiKeysPage.title]: managers,
  [teamPage.leave]: ['editor', 'finance', 'check-in', 'viewer'],
  'Change Email': all,
  Logout: all,
};

const title = 'Basement Brass';
const otherTitle = 'Attic Strings';
const invited = 'partner@example.com';

/** The screens of an event and an organization that not all roles may open, and a heading of each. */
const screensOf = ({
  eventId,
  endpointId,
}: {
  eventId: string;
  endpointId: string;
}): [address: string, Action, heading: string, readonly Role[]][] => [
  [`/events/${eventId}`, 'event.view', overview.typesTitle, all],
  [`/events/${eventId}/sales`, 'sales.view', salesPage.dayTitle, salesViewers],
  [`/events/${eventId}/links`, 'sales.view', linksPage.none, salesViewers],
  [`/events/${eventId}/dates`, 'event.view', seriesDates.none, all],
  [`/events/${eventId}/tickets`, 'event.edit', ticketSettings.types, editors],
  [`/events/${eventId}/page`, 'event.edit', previewPane.title, editors],
  [`/events/${eventId}/guests`, 'guest.view', guestTablePage.title, guestViewers],
  [`/events/${eventId}/orders`, 'guest.view', ordersPage.title, guestViewers],
  [`/events/${eventId}/comps`, 'comp.manage', compsPage.addTitle, editors],
  [`/door/${eventId}`, 'check-in.manage', 'Set up a phone', editors],
  [`/events/${eventId}/door`, 'check-in.manage', 'Set up a phone', editors],
  [`/events/${eventId}/money`, 'payout.view', moneyTab.gets, ['owner', 'admin', 'finance']],
  ['/organization/team', 'member.view', teamPage.members, managers],
  ['/organization/page', 'organization-page.edit', pageSettings.title, managers],
  ['/organization/activity', 'audit.view', activityPage.title, managers],
  ['/organization/api', 'api-key.view', apiKeysPage.keys, managers],
  [`/organization/webhooks/${endpointId}`, 'webhook.view', webhookLog.heading, managers],
  ['/organization/funds', 'payout.view', fundsPage.title, ['owner', 'admin', 'finance']],
  ['/money', 'payout.view', payoutsPage.title, ['owner', 'admin', 'finance']],
];

/** Two events, one of them with a guest, and an invitation that only owners withdraw. */
const stageOf = oncePerProduct(async (product) => {
  const owner = await readyOrganizer(product);
  const { eventId } = await putOnSale(product, owner, { title });
  await buyTickets(siteOf(product), eventId, generalAdmission(1));
  await sendInvitation(siteOf(product), owner, { email: invited, role: 'owner' });
  const { endpointId } = await newWebhook(owner.visitor, { url: 'http://127.0.0.1:9/hooks' });
  return { owner, eventId, endpointId, other: await putOnSale(product, owner, { title: otherTitle }) };
});

const controlNamed = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('main').getByRole('link', { name, exact: true }));

test.afterEach(({ browser }) => closeWindows({ browser }));

for (const role of roles)
  test(`the role ${role} is shown what it may do, and nothing else [ROLE-3]`, async ({ browser, product }) => {
    const { owner, eventId, endpointId } = await stageOf(product);
    const page = await browserOf(await memberOf(product, owner, role), browser, product);
    await openProfile(page);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.locator('#account')).toContainText(roleNames[role]);

    await showDetails(page);
    const guests = page.getByRole('button', { name: 'Show Guest List' });
    if ((await guests.count()) > 0) {
      // The button of an opened list has another name.
      while ((await guests.count()) > 0) await guests.first().click();
      await expect(page.getByRole('table', { name: `Guests of ${title}` })).toBeVisible();
    }
    const shown: string[] = [];
    for (const name of Object.keys(CONTROLS)) if ((await controlNamed(page, name).count()) > 0) shown.push(name);
    expect(shown).toEqual(Object.keys(CONTROLS).filter((name) => CONTROLS[name]?.includes(role)));

    await page.getByRole('button', { name: 'Open navigation' }).click();
    const navigation = page.getByRole('dialog', { name: 'Navigation' });
    await expect(navigation.getByRole('link', { name: 'Your events' })).toBeVisible();
    await expect(navigation.getByRole('link', { name: 'Dashboard' })).toHaveCount(0);

    for (const [address, action, heading, allowed] of screensOf({ eventId, endpointId })) {
      await page.goto(address);
      const denial = page.getByText(errorText('auth.role-denied', { action }));
      if (allowed.includes(role)) {
        await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
        await expect(denial).toHaveCount(0);
      } else {
        await expect(denial).toBeVisible();
        await expect(page.getByRole('main').getByRole('combobox')).toHaveCount(0);
        await expect(page.getByRole('button', { name: tryAgain })).toHaveCount(0);
      }
    }
    if (!managers.includes(role)) return;

    await page.goto('/organization/team');
    await expect(page.getByRole('row', { name: invited })).toBeVisible();
    await expect(page.getByRole('button', { name: teamPage.withdrawLabel(invited) })).toHaveCount(
      role === 'owner' ? 1 : 0,
    );
  });

for (const role of ['editor', 'finance', 'check-in', 'viewer'] as const)
  test(`the role ${role} for one event is shown no other [ROLE-1 ROLE-3]`, async ({ browser, product }) => {
    const { owner, eventId, other } = await stageOf(product);
    const page = await browserOf(await memberOf(product, owner, role, [other.eventId]), browser, product);
    await openProfile(page);
    await expect(page.getByRole('heading', { name: otherTitle })).toBeVisible();
    await expect(page.getByRole('heading', { name: title })).toHaveCount(0);

    await page.goto(`/door/${eventId}`);
    await expect(page.getByRole('heading', { name: errorText('event.not-found'), level: 1 })).toBeVisible();
    await expect(page.getByText(title)).toHaveCount(0);
    if (role !== 'check-in') return;
    await page.goto(`/scanner?event=${other.eventId}`);
    await expect(page.getByLabel('Confirmation Code')).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'End shift' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByRole('button', { name: memberEntry.again })).toBeInViewport();
    await page.getByRole('button', { name: memberEntry.again }).click();
    await expect(page.getByLabel('Confirmation Code')).toBeVisible();
    await page.goto(`/scanner?event=${eventId}`);
    await expect(page.getByLabel('Attendant Code')).toBeVisible();
    await expect(page.getByText(memberEntry.denied)).toBeVisible();
  });

test('the screens of operators are for nobody else, not even for owners [ROLE-3]', async ({ browser, product }) => {
  const { owner } = await stageOf(product);
  const page = await browserOf(owner, browser, product);

  for (const address of ['/dashboard', '/dashboard/audit', '/dashboard/plans']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'For admins only', level: 1 })).toBeVisible();
    for (const text of [auditPage.download, activityPage.notLoaded, planTexts.notLoaded])
      await expect(page.getByText(text)).toHaveCount(0);
  }
});
