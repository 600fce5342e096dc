import type { Deps } from '#server/platform/deps.ts';

/** The public page of an event. */
export function eventUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, eventId: string): string {
  return `${publicUrl}/payment/${eventId}`;
}
