/** Ledger balances for use cases in other modules. */
import type { Db } from '#server/platform/database.ts';
import { balancesOfEvent, balancesOfOrder } from './balances.sql.ts';

export const readOrderBalances = (db: Db, order: { eventId: string; orderId: string }) => balancesOfOrder(db, order);
export const readEventBalances = (db: Db, eventId: string) => balancesOfEvent(db, eventId);
