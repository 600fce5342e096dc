import { sql } from 'kysely';
import type { GuestForm, Question } from '#domain/sales/guest-form.ts';
import type { Db } from '#server/platform/database.ts';

export interface FormRef {
  eventId: string;
  version: number;
}

export async function readForm(db: Db, { eventId, version }: FormRef): Promise<GuestForm | undefined> {
  return db
    .selectFrom('guestForms')
    .where('eventId', '=', eventId)
    .where('version', '=', version)
    .select(['asksNames', 'questions'])
    .executeTakeFirst();
}

/** The newest version of the event, whether it is asked or not; 0 before the first. */
export async function newestVersion(db: Db, eventId: string): Promise<number> {
  const { version } = await db
    .selectFrom('guestForms')
    .where('eventId', '=', eventId)
    .select((column) => column.fn.max('version').as('version'))
    .executeTakeFirstOrThrow();
  return Number(version ?? 0);
}

/** What the event asks now: with an empty form it asks nothing. */
export async function currentForm(db: Db, eventId: string): Promise<(GuestForm & { version: number }) | undefined> {
  return db
    .selectFrom('guestForms as f')
    .innerJoin('events as e', (join) => join.onRef('e.id', '=', 'f.eventId').onRef('e.formVersion', '=', 'f.version'))
    .where('f.eventId', '=', eventId)
    .select(['f.asksNames', 'f.questions', 'f.version'])
    .executeTakeFirst();
}

export async function insertForm(db: Db, ref: FormRef, { asksNames, questions }: GuestForm, at: Date): Promise<void> {
  await db
    .insertInto('guestForms')
    .values({ ...ref, asksNames, questions: JSON.stringify(questions), createdAt: at })
    .execute();
}

/** Every question that the event ever asked, as it was asked last, in the order of their first form. */
export async function questionsEverAsked(db: Db, eventId: string): Promise<Question[]> {
  const { rows } = await sql<{ question: Question }>`
    select newest.question
      from (select distinct on (q.question ->> 'id') q.question, f.version, q.at
              from guest_forms f cross join jsonb_array_elements(f.questions) with ordinality as q (question, at)
             where f.event_id = ${eventId}
             order by q.question ->> 'id', f.version desc) as newest
     order by newest.version desc, newest.at`.execute(db);
  return rows.map(({ question }) => question);
}

/** Also false for an event that doesn't exist. */
export async function isNameSearchOn(db: Db, eventId: string): Promise<boolean> {
  const event = await db.selectFrom('events').where('id', '=', eventId).select('allowsNameSearch').executeTakeFirst();
  return event?.allowsNameSearch ?? false;
}

/** Writes once per event: each change of it makes devices and pages read it again. */
export async function setDoorNotes(db: Db, eventId: string): Promise<void> {
  await db
    .updateTable('events')
    .set({ hasDoorNotes: true })
    .where('id', '=', eventId)
    .where('hasDoorNotes', '=', false)
    .execute();
}
