import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';

/** Position of the pin from the form fields; `null` if either is not a valid coordinate. */
export function pinOf(event: EventDraft): { latitude: number; longitude: number } | null {
  const latitude = coordinateIn(event.text('latitude'), 90);
  const longitude = coordinateIn(event.text('longitude'), 180);
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function coordinateIn(text: string, limit: number): number | null {
  const coordinate = text.trim() === '' ? Number.NaN : Number(text);
  return Math.abs(coordinate) <= limit ? coordinate : null;
}
