import { instantOf } from '#domain/local-time.ts';

type Doubled = Parameters<typeof instantOf>[2];

/** A time that may be blank: null then, and what is wrong if it is none. */
export const typedTime = (text: string | undefined, timezone: string, doubled: Doubled) =>
  text ? instantOf(text, timezone, doubled) : null;

/** The same of a valid form. */
export function timeOrNull(text: string | undefined, timezone: string, doubled: Doubled): Date | null {
  const time = typedTime(text, timezone, doubled);
  return time instanceof Date ? time : null;
}
