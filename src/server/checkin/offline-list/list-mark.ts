/** How far a device was told of an event's tickets, as it gives it back with its next question. */

export interface ListMark {
  /** Every transaction before this one had ended. */
  upTo: bigint;
  /** By the database's clock, in milliseconds since 1970. */
  readAt: number;
}

export const writeMark = ({ upTo, readAt }: ListMark): string => `${upTo}.${readAt.toString(36)}`;

const MARK = /^(\d{1,19})\.([0-9a-z]{1,9})$/;

export function readMark(text: string): ListMark | null {
  const [, upTo, readAt] = MARK.exec(text) ?? [];
  return upTo && readAt ? { upTo: BigInt(upTo), readAt: Number.parseInt(readAt, 36) } : null;
}

/** Rows name 32 bits of their transaction: of one further back, nobody knows whether it was before or after. */
const HALF_A_CIRCLE = 2n ** 31n;

/** From which transaction on something may be new to the device; null where its mark is too old, or none that was given here. */
export function newSince(now: ListMark, had: ListMark): number | null {
  const isOurs = had.upTo <= now.upTo && had.readAt <= now.readAt;
  if (!isOurs || now.upTo - had.upTo >= HALF_A_CIRCLE) return null;
  return Number(BigInt.asUintN(32, had.upTo));
}
