import type { editEventTax as endpoint } from '#contract/app/records/event-tax.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { parseIncludedTax } from '#contract/forms/included-tax.ts';
import { includedTax as text } from '#messages/records/included-tax.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { lockToEdit } from '#server/events/lock-to-edit.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { insertTax, presentTaxes } from './taxes.sql.ts';

/** Binds orders from now on: each has the tax of when it was made. */
export async function editTax(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, ...form }: InputOf<typeof endpoint>,
): Promise<{ msg: string }> {
  await authorizeEvent({ db }, actor, 'event-tax.edit', eventId);
  const tax = parseIncludedTax(form);
  await inTransaction(db, async (tx) => {
    const { event } = await lockToEdit(tx, actor, eventId);
    const [present = { rate: 0, label: tax.label }] = await presentTaxes(tx, [eventId]);
    const isSame = present.rate === tax.rate && (tax.rate === 0 || present.label === tax.label);
    if (isSame) return;
    await insertTax(tx, eventId, tax, event.now);
    await recordAuditEvent(tx, { action: 'edit-tax', by: actor, subject: eventId, eventId, at: clock.now() });
  });
  return { msg: tax.rate === 0 ? text.removed : text.saved };
}
