/**
 * Seeds the demo of a first start: an organizer with one event on sale, one that ended and one that was cancelled.
 * Every step is idempotent, so that the next start completes a seed that was interrupted.
 */
import { saveAccountInfo } from '#server/accounts/account-info.ts';
import { register } from '#server/accounts/login/register.ts';
import { refreshPayoutAccount } from '#server/accounts/payout-account.ts';
import { createAccountLink } from '#server/accounts/payout-account-links.ts';
import { checkGuest } from '#server/checkin/check-guest.ts';
import { createEvent } from '#server/events/create-event.ts';
import { eventUrl } from '#server/events/event-url.ts';
import { editOrganizationPage } from '#server/events/organizer-page/edit-organization-page.ts';
import { addPhotos } from '#server/events/photos/add-photos.ts';
import { posterPhoto } from '#server/events/photos/list-photos.ts';
import { createCheckoutSession } from '#server/payments/checkout/create-checkout-session.ts';
import { readConfirmation } from '#server/payments/checkout/read-confirmation.ts';
import { inTransaction } from '#server/platform/database.ts';
import { DEMO_ADDRESS } from '#server/platform/demo-address.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { cancelledEvent, type DemoEvent, endedEvent, eventOnSale, lastSaturday } from './demo-events.ts';
import { type OpenPage, submitForm } from './demo-forms.ts';
import * as sql from './seed-demo.sql.ts';

/** Printed to the terminal. */
export interface DemoGuide {
  eventUrl: string;
  email: string;
  password: string;
  attendantCode: string;
  testCard: string;
}

const EMAIL = DEMO_ADDRESS;
const PASSWORD = 'let-me-in-please';
const LOCALHOST = '127.0.0.1';
const TEST_CARD = '4242 4242 4242 4242';
const PAGE = 'cooperage-nights';
const POSTERS = ['basement-brass-8', 'basement-brass-15', 'basement-brass-11'];

const accountInfo = {
  firstName: 'Ada',
  lastName: 'Cooper',
  dateOfBirth: '1990-04-12',
  phoneNumber: '+1 (718) 555-0134',
  organizationName: 'Cooperage Nights',
  organizationBio: 'Live music in a former barrel factory in Brooklyn, most Fridays since 2016.',
  organizationType: 'company' as const,
  companyTIN: '12-3456789',
};

/** Seeds the demo into an empty database. Returns its guide at every start, or `null` if there are other users. */
export async function seedDemo(deps: Deps, open: OpenPage): Promise<DemoGuide | null> {
  if (!(await sql.findOrganizer(deps.db, EMAIL))) {
    if (await sql.hasUsers(deps.db)) return null;
    const device = { ip: LOCALHOST, isFromBrowser: false, browserSecret: undefined, userAgent: undefined };
    await register(deps, { email: EMAIL, password: PASSWORD, ...device });
  }

  const { organizationId } = await demoOrganizer(deps);
  // The cancelled event is the last step, and events are never deleted.
  const last = await sql.findEvent(deps.db, organizationId, cancelledEvent.title);
  if (!last?.cancelledAt) await seedEvents(deps, open);

  const onSale = await sql.findEvent(deps.db, organizationId, eventOnSale.title);
  if (!onSale) return null;
  const { id, attendantCode } = onSale;
  return { eventUrl: eventUrl(deps, id), email: EMAIL, password: PASSWORD, attendantCode, testCard: TEST_CARD };
}

async function seedEvents(deps: Deps, open: OpenPage): Promise<void> {
  await onboard(deps, open);
  // This order stays within the plan's limit of two active events.
  await seedEndedEvent(deps, open);
  const { id: eventId } = await findOrCreateEvent(deps, eventOnSale);
  await addPosters(deps, eventId);
  await sellTickets(deps, open, eventId, eventOnSale);
  const cancelled = await findOrCreateEvent(deps, cancelledEvent);
  await sql.markCancelled(deps.db, cancelled.id, deps.clock.now());
}

async function onboard(deps: Deps, open: OpenPage): Promise<void> {
  await sql.markVerified(deps.db, EMAIL, deps.clock.now());
  const organizer = await demoOrganizer(deps);
  const { organizationId, organizationName } = organizer;
  if (!organizationName) await saveAccountInfo(deps, organizer, accountInfo);
  await editOrganizationPage(deps, organizer, { slug: PAGE });
  if (await refreshPayoutAccount(deps, organizationId)) return;

  const { url } = await createAccountLink(deps, organizer);
  await submitForm(open, url, { outcome: 'complete' });
  if (!(await refreshPayoutAccount(deps, organizationId))) throw new Error('the demo organizer could not be onboarded');
}

/** Sells and admits tickets to a future event, then moves all of it to the past. */
async function seedEndedEvent(deps: Deps, open: OpenPage): Promise<void> {
  const event = await findOrCreateEvent(deps, endedEvent);
  if (event.endsAt < deps.clock.now()) return;

  await sellTickets(deps, open, event.id, endedEvent);
  const { userId: deviceId } = await demoOrganizer(deps);
  // Otherwise these would be early check-ins, and their buyers emailed.
  await sql.startNow(deps.db, event.id, deps.clock.now());
  for (const confirmationNumber of await sql.numbersToAdmit(deps.db, event.id, endedEvent.noShow)) {
    const { status } = await checkGuest(deps, { eventId: event.id, deviceId, isMember: true }, confirmationNumber);
    if (status !== 'admitted') throw new Error(`the demo's check-in is ${status}`);
  }
  const when = lastSaturday(deps.clock.now());
  await inTransaction(deps.db, (tx) => sql.moveToThePast(tx, event.id, when));
}

async function addPosters(deps: Deps, eventId: string): Promise<void> {
  if (await sql.hasPhotos(deps.db, eventId)) return;

  const files = [];
  for (const id of POSTERS)
    files.push({ fileName: `${id}.png`, source: await posterPhoto(id), isEmpty: false, isTooLarge: false });
  await addPhotos(deps, await demoOrganizer(deps), { eventId, files });
}

async function sellTickets(deps: Deps, open: OpenPage, eventId: string, { sales }: DemoEvent): Promise<void> {
  const buyers = await sql.buyersOf(deps.db, eventId);
  for (const { email, name, cartItems } of sales) {
    if (buyers.includes(email)) continue;
    const session = await createCheckoutSession(deps, { eventId, cartItems: [...cartItems] }, LOCALHOST);
    const card = { number: TEST_CARD, exp: '12 / 40', cvc: '123', name, zip: '11211' };
    await submitForm(open, session.url, { email, ...card });
    const { status } = await readConfirmation(deps, { sessionId: session.id });
    if (status !== 'confirmed') throw new Error(`the demo sale to ${email} is ${status}`);
  }
}

async function findOrCreateEvent(deps: Deps, { title, form }: DemoEvent) {
  const organizer = await demoOrganizer(deps);
  if (!(await sql.findEvent(deps.db, organizer.organizationId, title)))
    await createEvent(deps, organizer, { title, ...form(deps.clock.now()) });
  const event = await sql.findEvent(deps.db, organizer.organizationId, title);
  if (!event) throw new Error(`the demo event "${title}" was not created`);
  return event;
}

async function demoOrganizer({ db }: Pick<Deps, 'db'>): Promise<Organizer> {
  const organizer = await sql.findOrganizer(db, EMAIL);
  if (!organizer) throw new Error('there is no demo organizer');
  return {
    ...organizer,
    onlyEventIds: null,
    sessionId: newId(),
    viewingUntil: null,
    isReauthenticated: true,
    isBound: false,
    hasFactor: false,
    organizationRequiresFactor: false,
    lacksFactor: false,
    scopes: null,
  };
}
