/** What both edits of an event share: of all its fields, and of its ticket types alone. Requires locks on the event and its types. */
import { isForMoney } from '#domain/accounts/onboarding.ts';
import { requireOnboarded } from '#server/accounts/organization.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import type { Editor } from '#server/platform/http/callers.ts';
import { leaveCapacities } from './capacities/save-capacities.ts';
import { clearNames, type lockTicketTypes, removeTicketTypes, updateTicketType } from './edit-event.sql.ts';
import { insertTicketTypes } from './events.sql.ts';
import type { TicketTypePlan } from './match-ticket-types.ts';

type LockedType = Awaited<ReturnType<typeof lockTicketTypes>>[number];

/** The event may be open in two tabs. Without this check, the later save would silently undo the earlier one. */
export function rejectStaleVersion({ version }: { version?: string | undefined }, current: string): void {
  if (version === undefined || version === current) return;
  throw new AppError('event.changed');
}

export async function changeTicketTypes(
  tx: Db,
  event: { id: string; isPublished: boolean; now: Date },
  plan: TicketTypePlan<LockedType>,
  organizer: Editor,
): Promise<void> {
  if (event.isPublished) await requireFirstPriceAllowed(tx, plan, organizer);
  const sold = plan.removed.find((type) => type.reserved > 0);
  if (sold) throw new AppError('edit.sold-type-removed', { name: sold.name });
  const tooFew = plan.updated.find(({ type, columns }) => columns.quantity < type.reserved);
  if (tooFew)
    throw new AppError('edit.quantity-below-sold', { name: tooFew.type.name, reserved: tooFew.type.reserved });
  const changed = plan.updated.find(({ type, columns }) => type.reserved > 0 && columns.isAddOn !== type.isAddOn);
  if (changed) throw new AppError('edit.add-on-sold', { name: changed.type.name });

  // Removing and clearing comes first, so that a name can be reused.
  const removed = plan.removed.map((type) => type.id);
  await removeTicketTypes(tx, event.id, removed, event.now);
  await leaveCapacities(tx, event.id, removed);
  const renamed = plan.updated.filter(({ type, columns }) => type.name.toLowerCase() !== columns.name.toLowerCase());
  const renamedIds = renamed.map(({ type }) => type.id);
  await clearNames(tx, event.id, renamedIds);
  for (const { type, columns } of plan.updated) {
    const isLater = columns.opensAfter !== null && columns.opensAfter !== type.opensAfter;
    await updateTicketType(tx, event.id, type.id, { ...columns, ...(isLater && { openedAt: null }) });
  }
  await insertTicketTypes(tx, event, plan.added);
}

/** An event that was free so far may belong to an organization that can't be paid. A draft is checked when it is published. */
async function requireFirstPriceAllowed(
  tx: Db,
  { added, updated, removed }: TicketTypePlan<LockedType>,
  organizer: Editor,
): Promise<void> {
  const before = [...removed, ...updated.map(({ type }) => type)];
  const after = [...added, ...updated.map(({ columns }) => columns)];
  if (after.some(isForMoney) && !before.some(isForMoney)) await requireOnboarded({ db: tx }, organizer);
}
