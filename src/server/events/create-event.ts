import { onboardingIncomplete } from '#contract/accounts.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type createEvent as call, type EventForm, eventRefusals, quantityOf, scheduleOf } from '#contract/events.ts';
import { centsOf } from '#domain/money.ts';
import { openOnboardingSteps } from '#domain/onboarding.ts';
import { planObstacle } from '#domain/plan.ts';
import type { Organizer } from '#server/accounts/authenticate.ts';
import { inTransaction } from '#server/database.ts';
import type { Deps } from '#server/deps.ts';
import { newAttendantCode, newEventId, newId } from '#server/new-id.ts';
import { hasActivePayoutAccount } from '#server/payouts/has-active-payout-account.ts';
import { conflict, forbidden, invalid } from '#server/refusal.ts';
import { eventUrl } from './event-url.ts';
import { countActiveEvents, insertEvent, lockOrganizer, type NewTicketType } from './events.sql.ts';

export async function createEvent(
  deps: Pick<Deps, 'db' | 'clock' | 'publicUrl'>,
  organizer: Organizer,
  form: InputOf<typeof call>,
) {
  await refuseUnlessOnboarded(deps, organizer);
  const schedule = scheduleOf(form, deps.clock.now(), { mayStartInPast: false });
  if (typeof schedule === 'string') throw invalid(schedule);
  // No codes have been given out yet, so none can be right; a wrong one never makes an event without its waiver.
  if (form.affiliateCode) throw conflict(eventRefusals['unknown-affiliate-code']);

  const event = {
    id: newEventId(),
    recordId: newId(),
    organizerId: organizer.userId,
    attendantCode: newAttendantCode(),
    createdAt: deps.clock.now(),
    ...schedule,
    ...placeOf(form),
    title: form.title,
    description: form.description,
    timezone: form.timezone,
    participants: form.participants,
  };
  await inTransaction(deps.db, async (tx) => {
    await lockOrganizer(tx, organizer.userId);
    const obstacle = planObstacle(await countActiveEvents(tx, organizer.userId));
    if (obstacle) throw conflict(eventRefusals[obstacle]);
    await insertEvent(tx, event, form.tickets.map(ticketTypeOf));
  });

  return {
    eventId: event.id,
    eventUrl: eventUrl(deps, event.id),
    attendantCode: event.attendantCode,
    feeWaiveStatus: false,
  };
}

async function refuseUnlessOnboarded(deps: Pick<Deps, 'db'>, organizer: Organizer): Promise<void> {
  const open = openOnboardingSteps({
    ...organizer,
    hasActivePayoutAccount: await hasActivePayoutAccount(deps, organizer.userId),
  });
  if (open.length > 0) throw forbidden(onboardingIncomplete);
}

function placeOf({ street, city, state, postalCode, latitude, longitude }: EventForm) {
  return { street, city, state, postalCode, latitude, longitude };
}

function ticketTypeOf(row: EventForm['tickets'][number], position: number): NewTicketType {
  return {
    id: newId(),
    position,
    name: row.ticketName.trim(),
    description: row.ticketDescription.trim(),
    priceCents: centsOf(row.ticketPrice) ?? 0,
    quantity: quantityOf(row.ticketQuantity) ?? 0,
  };
}
