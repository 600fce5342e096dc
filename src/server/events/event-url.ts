import type { Deps } from '#server/platform/deps.ts';

/** URL of the public page of a series. */
export function seriesUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, seriesId: string): string {
  return `${publicUrl}/series/${seriesId}`;
}

/** URL of the event's public page. */
export function eventUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, eventId: string): string {
  return `${publicUrl}/payment/${eventId}`;
}
