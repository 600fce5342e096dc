/** An app with organizers, and events that start and end while their histories run. */
import { createCheckoutSession } from '#server/payments/checkout/create-checkout-session.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { goodCard, onboardedOrganizer, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '#tests/support/test-app.ts';
import { insertEvent } from '../insert-event.ts';
import { withCrashes } from './crash-in-call.ts';
import { type History, startHistory } from './history.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Failure rate of the jobs: how many of their calls to Stripe crash them. */
export interface JobFaults {
  jobCrashes: number;
}

const HOUR = 60 * 60 * 1000;
const PROMO_CODE = 'SPRING';

export async function startFaultyApp(
  random: SeededRandom,
  options: Pick<TestAppOptions, 'payoutBrakes' | 'refundCosts'>,
): Promise<{ app: TestApp; faults: JobFaults }> {
  const app = await startTestApp(options);
  const faults: JobFaults = { jobCrashes: 0 };
  const sound = { ...app.deps };
  const ends = (moment: 'before' | 'after') =>
    withCrashes(
      sound,
      moment,
      () => Promise.reject(new Error(`the server crashed ${moment} a call`)),
      () => random.chance(faults.jobCrashes / 2),
    );
  // The worker and the routes hold this object; the histories get the original.
  const { paymentProcessor } = ends('before');
  const { payoutAccounts } = ends('before');
  const faulty = withCrashes(
    { ...sound, paymentProcessor, payoutAccounts },
    'after',
    () => Promise.reject(new Error('the server crashed after a call')),
    () => random.chance(faults.jobCrashes / 2),
  );
  app.deps.paymentProcessor = faulty.paymentProcessor;
  app.deps.payoutAccounts = faulty.payoutAccounts;
  return { app: { ...app, deps: sound }, faults };
}

/**
 * The platform bears card fees and disputes, and would run dry without other sales. This event's money stays in the
 * balance and is never paid out.
 */
export async function addFloat(app: TestApp): Promise<void> {
  const [organizer] = await registered(app, 1);
  if (!organizer) throw new Error('no organizer was registered');
  const { organizationId } = organizer;
  const eventId = newPublicId();
  const now = app.now();
  const endsAt = new Date(now.getTime() + 1000 * 24 * HOUR);
  const types = [{ name: 'Floor', priceCents: 500_000, quantity: 100 }];
  await insertEvent(app.db, { now, eventId, organizationId, title: 'The float', endsAt, types });
  const session = await createCheckoutSession(
    app.deps,
    { eventId, cartItems: [{ ticketName: 'Floor', quantity: 20 }] },
    '',
  );
  await pay(app.visitor(), session.url, 'float@example.com', { ...goodCard, number: FUNDS_AT_ONCE });
}

const FUNDS_AT_ONCE = '4000 0000 0000 0077';

export async function newHistories(
  app: TestApp,
  random: SeededRandom,
  names: readonly { name: string; index: number }[],
  eventsEach: number,
): Promise<History[]> {
  const organizers = await registered(app, Math.ceil(names.length / eventsEach));
  const histories: History[] = [];
  for (const [position, { name, index }] of names.entries()) {
    const organizer = organizers[Math.floor(position / eventsEach)];
    const isFirstOfOrganizer = position % eventsEach === 0;
    if (organizer)
      histories.push(
        await createHistory(app, random.fork(index), {
          name,
          organizer,
          isFirstOfOrganizer,
          isSharing: index % 3 === 0,
          hasPromoCode: index % 2 === 0,
        }),
      );
  }
  return histories;
}

async function registered(app: TestApp, count: number): Promise<Actor[]> {
  const organizers: Actor[] = [];
  while (organizers.length < count) {
    const { email } = await onboardedOrganizer(app);
    organizers.push(await actorOf(app.db, email));
  }
  return organizers;
}

interface NewHistory {
  name: string;
  organizer: Actor;
  isFirstOfOrganizer: boolean;
  isSharing: boolean;
  hasPromoCode: boolean;
}

async function createHistory(
  app: TestApp,
  random: SeededRandom,
  { isSharing, hasPromoCode, ...start }: NewHistory,
): Promise<History> {
  const eventId = newPublicId();
  const now = app.now();
  const endsAt = new Date(now.getTime() + random.between(4, 40) * HOUR);
  const { refundCosts } = app.deps;
  const types = [
    { name: 'Floor', priceCents: random.pick([50, 2400, 2400, 3333, 10_000]), quantity: random.between(4, 40) },
    { name: 'Balcony', priceCents: random.pick([0, 0, 77, 3850, 50_000]), quantity: random.between(2, 10) },
  ];
  // Two thirds of what the types could sell, so that both of them run short.
  const capacity = types.reduce((sum, { quantity }, index) => sum + (2 * (quantity * (index + 1))) / 3, 0);
  await insertEvent(app.db, {
    now,
    eventId,
    sharedCapacity: isSharing ? { capacity: Math.ceil(capacity), units: [1, 2] } : undefined,
    ...start.organizer,
    title: `History ${start.name}`,
    endsAt,
    refundCosts,
    types,
    promoCode: hasPromoCode ? { code: PROMO_CODE, percent: 30, maxUses: random.between(3, 20) } : undefined,
  });
  return startHistory({ ...start, random, eventId, types, endsAt, promoCode: hasPromoCode ? PROMO_CODE : null });
}
