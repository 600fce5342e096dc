/** Opaque cursor of the offline list: how far a device has read. The device sends it back with its next request. */

export interface ListCursor {
  /** Every transaction before this one had ended at the time of the read. */
  upTo: bigint;
  /** On the database's clock, in epoch milliseconds. */
  readAt: number;
}

export const encodeCursor = ({ upTo, readAt }: ListCursor): string => `${upTo}.${readAt.toString(36)}`;

const CURSOR = /^(\d{1,19})\.([0-9a-z]{1,9})$/;

export function decodeCursor(text: string): ListCursor | null {
  const [, upTo, readAt] = CURSOR.exec(text) ?? [];
  return upTo && readAt ? { upTo: BigInt(upTo), readAt: Number.parseInt(readAt, 36) } : null;
}

/** Rows store 32 bits of their transaction id, so ids further apart than this cannot be ordered. */
const HALF_XID_RANGE = 2n ** 31n;

/** The first transaction whose changes may be new to the device; null if its cursor is too old or was not issued here. */
export function firstNewTransaction(current: ListCursor, previous: ListCursor): number | null {
  const isOurs = previous.upTo <= current.upTo && previous.readAt <= current.readAt;
  if (!isOurs || current.upTo - previous.upTo >= HALF_XID_RANGE) return null;
  return Number(BigInt.asUintN(32, previous.upTo));
}
