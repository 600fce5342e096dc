import type { GuestForm } from '#domain/sales/guest-form.ts';
import type { Db } from '#server/platform/database.ts';
import { type FormRef, readForm } from './guest-form.sql.ts';

/** What an order is asked, by the version that it names. */
export async function askedForm(db: Db, ref: FormRef): Promise<GuestForm> {
  const form = await readForm(db, ref);
  if (!form) throw new Error(`event ${ref.eventId} has no guest form ${ref.version}`);
  return form;
}
