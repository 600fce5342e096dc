/** What the door should know about a guest: the organizer's note, and the answers to questions that are shown at the door. */
import type { DoorNote } from '#contract/app/check-in.ts';
import { shownAnswers } from '#domain/sales/guest-form.ts';
import { doorNote as noteLabel } from '#messages/check-in.ts';
import type { Db } from '#server/platform/database.ts';
import { notedTicket } from './order-guests.sql.ts';

export async function doorNotesOf(
  db: Db,
  ticket: { eventId: string; confirmationNumber: string },
): Promise<DoorNote[]> {
  const noted = await notedTicket(db, ticket);
  if (!noted) return [];
  const { doorNote, questions, answers } = noted;
  return [
    ...(doorNote === null ? [] : [{ label: noteLabel, text: doorNote }]),
    ...shownAnswers(questions, answers).map(({ label, answer }) => ({ label, text: answer })),
  ];
}
