import type { Db } from '#server/platform/database.ts';
import { setAttendantCode } from './events.sql.ts';

interface NewCode {
  eventId: string;
  organizerId: string;
  attendantCode: string;
}

/** False if the event is not the organizer's. Grants for the old code end. */
export const replaceAttendantCode = (db: Db, code: NewCode): Promise<boolean> => setAttendantCode(db, code);
