import type { Deps } from '#server/platform/deps.ts';

/** URL of the public page of a series. */
export function seriesUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, seriesId: string): string {
  return `${publicUrl}/series/${seriesId}`;
}

/** URL of a screen on which the event's team works; `part` is below its heading. */
export function workspaceUrl(
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  eventId: string,
  screen: 'overview' | 'page' | 'money',
  part?: 'disputes',
): string {
  const path = screen === 'overview' ? '' : `/${screen}`;
  return `${publicUrl}/events/${eventId}${path}${part ? `#${part}` : ''}`;
}

/** URL of the event's public page. */
export function eventUrl({ publicUrl }: Pick<Deps, 'publicUrl'>, eventId: string): string {
  return `${publicUrl}/payment/${eventId}`;
}
