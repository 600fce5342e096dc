import type { Deps } from '#server/platform/deps.ts';

/** URL of the event's public page. */
export function eventUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, eventId: string): string {
  return `${publicUrl}/payment/${eventId}`;
}
