import type { EventPreview, previewEvent as endpoint } from '#contract/app/sales/event-preview.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type Schedule, scheduleOf } from '#contract/forms/event-form.ts';
import { isForMoney, openOnboardingSteps } from '#domain/accounts/onboarding.ts';
import { announcedChange } from '#domain/event-schedule.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { denyPlan } from '#domain/plan.ts';
import { hasActivePayoutAccount } from '#server/accounts/payout-account.ts';
import { planOf } from '#server/accounts/plans/plan-of.ts';
import { authorize } from '#server/accounts/policies.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { countBuyers } from '#server/events/edit-event.sql.ts';
import { editedEvent } from '#server/events/edit-event.ts';
import { eventColumns, type TicketTypeRow } from '#server/events/event-columns.ts';
import { countActiveEvents, eventRow, ticketTypeRows } from '#server/events/events.sql.ts';
import type { TicketTypePlan } from '#server/events/match-ticket-types.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Organizer } from '#server/platform/http/callers.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import type { RenderEvent } from './page-cache.ts';
import { organizationToShow } from './preview.sql.ts';
import { type EventOfPage, snapshotOf } from './read-event-page.ts';

type PreviewDeps = Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'rateLimiter'>;
type Edit = InputOf<typeof endpoint>;

/** Stands for the id that a new event doesn't have yet. Its poster is drawn from the id. */
const NEW_EVENT = 'preview-of-event';

/** The page as it would be after saving, by the rules of an edit and the code of the page. Locks nothing and saves nothing. */
export async function previewEvent(
  deps: PreviewDeps,
  organizer: Organizer,
  { eventId, ...edit }: Edit,
  render: RenderEvent | null,
): Promise<EventPreview> {
  if (eventId === undefined) authorize(organizer, 'event.create');
  else await authorizeEvent(deps, organizer, 'event.edit', eventId);
  await consumeLimit(deps.rateLimiter, 'preview-event', organizer.userId);
  const schedule = scheduleOf(edit, deps.clock.now(), { mayStartInPast: true });
  if ('reason' in schedule) throw new AppError('form.invalid', schedule);

  const before =
    eventId === undefined ? await newEvent(deps, organizer, edit, schedule) : await eventRow(deps.db, eventId);
  if (!before) throw new AppError('event.not-found');
  const stored = eventId === undefined ? [] : await ticketTypeRows(deps.db, [eventId]);
  const { columns, plan } = editedEvent(before, stored, edit, schedule);
  const types = typesAfter(plan, before);
  const page = await snapshotOf(deps, { ...before, ...columns }, types);
  const hasSales = stored.some(({ reserved }) => reserved > 0);
  const about = hasSales ? announcedChange(before, { ...before, ...columns }) : null;
  const buyers = about ? await countBuyers(deps.db, before.id) : 0;
  return {
    // An ended event, too, is shown as it looked on sale: its date may be what is being corrected.
    html: render && render(before.id, { ...page, saleDenial: null, reply: page.publicEvent }),
    emails: about && buyers > 0 ? { buyers, about } : null,
    missing: before.isPublished ? [] : await missingToPublish(deps, organizer, types, before.seriesId),
  };
}

/** What a form without an event begins with. */
async function newEvent(deps: PreviewDeps, { organizationId }: Organizer, edit: Edit, schedule: Schedule) {
  const organization = await organizationToShow(deps.db, organizationId);
  return (
    organization && {
      ...NOTHING_SET,
      ...organization,
      ...schedule,
      ...eventColumns(edit),
      latestEndsAt: schedule.endsAt,
    }
  );
}

const NOTHING_SET = {
  id: NEW_EVENT,
  seriesId: null,
  venueName: null,
  subtitle: null,
  isListed: true,
  maxPerOrder: ORDER_TICKETS_MAX,
  isPublished: false,
  cancelledAt: null,
  pausedSales: null,
  salesStartAt: null,
  buyersPerMinute: null,
  checkInOpensAt: null,
  checkInClosesAt: null,
  pageVersion: 0,
  hasChanges: false,
  hasPromoCodes: false,
  embedOrigins: [],
} satisfies Partial<EventOfPage>;

/** In their order, with what would be left of each. Types that share a capacity keep what that has left. */
function typesAfter({ updated, added }: TicketTypePlan<TicketTypeRow>, { id: eventId }: { id: string }) {
  const leftOf = ({ availableToBuy, sharesCapacity, quantity: before }: TicketTypeRow, quantity: number) =>
    sharesCapacity ? availableToBuy : Math.max(0, availableToBuy + quantity - before);
  const types: TicketTypeRow[] = [
    ...updated.map(({ type, columns }) => ({ ...type, ...columns, availableToBuy: leftOf(type, columns.quantity) })),
    ...added.map((type) => ({ ...UNSOLD, ...type, eventId, available: type.quantity, availableToBuy: type.quantity })),
  ];
  return types.toSorted((one, other) => one.position - other.position);
}

const UNSOLD = { reserved: 0, isPublished: false, removedAt: null, openedAt: null, sharesCapacity: false };

/** What `publishEvent` would deny, so that it can be said before. The form says the rest. */
async function missingToPublish(
  { db }: PreviewDeps,
  organizer: Organizer,
  types: readonly TicketTypeRow[],
  seriesId: string | null,
): Promise<EventPreview['missing']> {
  const { organizationId } = organizer;
  const steps = openOnboardingSteps({
    ...organizer,
    hasActivePayoutAccount: await hasActivePayoutAccount({ db }, organizationId),
  });
  const { activeEventsMax } = await planOf(db, organizationId);
  const isFull = denyPlan(await countActiveEvents(db, organizationId, seriesId), activeEventsMax) !== null;
  return [
    ...steps.filter((step) => step === 'verify-email' || types.some(isForMoney)),
    ...(isFull ? (['place-in-plan'] as const) : []),
  ];
}
