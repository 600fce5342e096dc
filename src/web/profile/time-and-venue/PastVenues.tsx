import { useEffect, useState } from 'react';
import { type PastVenue, pastVenues } from '#contract/app/records/workspace.ts';
import { pastVenuesText as text } from '#messages/records/event-editor.ts';
import { call } from '#web/api.ts';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { SelectField } from '#web/ui/form/fields.tsx';

/** Nothing for an organization without an event, or without an answer: the address can be typed. */
export function PastVenues({ event, onChosen }: { event: EventDraft; onChosen: (venue: PastVenue) => void }) {
  const [venues, setVenues] = useState<readonly PastVenue[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    call(pastVenues, {}, { signal: stop.signal }).then(
      (reply) => setVenues(reply.venues),
      () => undefined,
    );
    return () => stop.abort();
  }, []);
  if (venues.length === 0) return null;

  function choose({ target }: { target: { value: string } }) {
    const venue = venues[Number(target.value)];
    if (!venue || target.value === '') return;
    const { venueName, latitude, longitude, ...address } = venue;
    onChosen(venue);
    event.set({ ...address, venueName: venueName ?? '', latitude: String(latitude), longitude: String(longitude) });
  }
  return (
    <SelectField
      label={text.label}
      name="pastVenue"
      hint={text.hint}
      value={String(venues.findIndex((venue) => isTyped(venue, event))).replace('-1', '')}
      onChange={choose}
    >
      <option value="">{text.none}</option>
      {venues.map((venue, index) => (
        <option key={JSON.stringify(venue)} value={index}>
          {text.venue(venue)}
        </option>
      ))}
    </SelectField>
  );
}

const PARTS = ['street', 'city', 'state', 'postalCode'] as const;

const isTyped = (venue: PastVenue, event: EventDraft): boolean =>
  (venue.venueName ?? '') === event.text('venueName') && PARTS.every((part) => venue[part] === event.text(part));
