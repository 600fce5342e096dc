import type { Db } from '#server/platform/database.ts';
import { setAttendantCode } from './events.sql.ts';

interface NewCode {
  eventId: string;
  organizationId: string;
  attendantCode: string;
}

/** False if the event belongs to another organization. Grants for the old code end. */
export const replaceAttendantCode = (db: Db, code: NewCode): Promise<boolean> => setAttendantCode(db, code);
