/** Who did what, about what, and why: written in the transaction of the act itself. */
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Schema } from '#server/platform/schema.ts';
import { insertOperatorAction } from './admin.sql.ts';

export interface OperatorActionRecord {
  operatorId: string;
  action: Schema['operatorActions']['action'];
  kind: string;
  subject: string;
  eventId: string | null;
  cents?: number;
  note?: string;
  at: Date;
}

/** False when it was done before. */
export async function recordOperatorAction(tx: Db, act: OperatorActionRecord): Promise<boolean> {
  return insertOperatorAction(tx, { id: newId(), cents: 0, note: '', ...act });
}
