/** The organizer tells the door something about a guest. */
import type { editDoorNote as endpoint } from '#contract/app/sales/door-notes.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { doorNoteSaved } from '#messages/sales/door-notes.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { markDoorNotes } from '#server/events/guest-form/at-door.ts';
import { lockOrder } from '#server/orders/core/orders.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { placeOfTicket, saveDoorNote } from './order-guests.sql.ts';

/** The text isn't recorded: it would outlive what the event keeps about its guests. */
export async function editDoorNote(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, ticketId, doorNote }: InputOf<typeof endpoint>,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, actor, 'door-note.edit', eventId);
  await inTransaction(db, async (tx) => {
    const place = await placeOfTicket(tx, { eventId, ticketId });
    if (!place) throw new AppError('door-note.unknown-ticket');
    const { orderId, position } = place;
    if (doorNote !== '') await markDoorNotes(tx, eventId);
    // Also erasing a buyer's data locks the order, so that no note is left of a guest who is erased meanwhile.
    await lockOrder(tx, { eventId, orderId });
    await saveDoorNote(tx, { eventId, orderId }, { position, ticketId, doorNote: doorNote || null });
    await recordAuditEvent(tx, { action: 'edit-door-note', by: actor, subject: ticketId, eventId, at: clock.now() });
  });
  return { msg: doorNoteSaved(doorNote) };
}
