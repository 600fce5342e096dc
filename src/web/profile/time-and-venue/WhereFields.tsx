import { useState } from 'react';
import type { PastVenue } from '#contract/app/records/workspace.ts';
import { usStates } from '#contract/forms/us-states.ts';
import { CITY_MAX, STREET_MAX, VENUE_NAME_MAX } from '#domain/limits.ts';
import { advancedFields } from '#messages/records/event-editor.ts';
import { listingFields as text } from '#messages/sales/page-settings.ts';
import { Disclosure } from '#web/profile/event-form/advanced/Disclosure.tsx';
import styles from '#web/profile/event-form/EventForm.module.css';
import { EventFormSection } from '#web/profile/event-form/EventFormSection.tsx';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import { MapPin } from '#web/ui/map/MapPin.tsx';
import { PastVenues } from './PastVenues.tsx';
import { pinOf } from './pin-of.ts';
import { capitalOf } from './state-centers.ts';
import { zonesOf } from './state-timezone.ts';
import { type AddressLookup, useAddressLookup } from './use-address-lookup.ts';

export function WhereFields({ event }: { event: EventDraft }) {
  const placed = pinOf(event);

  // Chosen of the past ones: its pin may have been placed by hand.
  const [known, setKnown] = useState<PastVenue | null>(null);

  const placePin = (lat: number, lng: number) => event.set({ latitude: degrees(lat), longitude: degrees(lng) });
  const address = {
    street: event.text('street'),
    city: event.text('city'),
    state: event.text('state'),
    postalCode: event.text('postalCode'),
  };
  const lookup = useAddressLookup(address, {
    isPlaced: placed !== null,
    known,
    onFound(lat, lng) {
      setKnown(null);
      placePin(lat, lng);
    },
  });
  // Shows a map even if the address is not found, so the pin can be placed by hand.
  const pin = placed ?? (lookup.state === 'not-found' ? capitalOf(address.state) : null);

  function changeState(change: { target: { value: string } }) {
    const state = change.target.value;
    const zone = zonesOf(state)[0];
    // Guesses the time zone from the state, but never changes the one a time was already typed for.
    const isZoneGuessed = zone && !event.text('startDate_startTime');
    event.set({ state, ...(isZoneGuessed && { timezone: zone }) });
  }

  return (
    <EventFormSection title="Where">
      <PastVenues event={event} onChosen={setKnown} />
      <TextField
        label={text.venueName}
        {...event.field('venueName')}
        hint={text.venueNameHint}
        counterMax={VENUE_NAME_MAX}
        autoComplete="off"
      />
      <TextField
        label="Street"
        {...event.field('street')}
        required
        counterMax={STREET_MAX}
        autoComplete="street-address"
      />
      <div className={styles.address}>
        <TextField label="City" {...event.field('city')} required counterMax={CITY_MAX} autoComplete="address-level2" />
        <SelectField
          label="State"
          {...event.field('state')}
          onChange={changeState}
          required
          autoComplete="address-level1"
        >
          <option value="">Choose</option>
          {usStates.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </SelectField>
        <TextField label="Postal code" {...event.field('postalCode')} required autoComplete="postal-code" />
      </div>
      <LookupStatus lookup={lookup} />
      {pin && (
        <MapPin
          {...pin}
          label={event.text('title') || 'Your event'}
          onMove={(position) => placePin(position.latitude, position.longitude)}
        />
      )}
      <Disclosure
        title={advancedFields.pin}
        choice={advancedFields.pinAt(event.text('latitude'), event.text('longitude'))}
        isSet={false}
      >
        <div className={styles.pair}>
          <TextField label="Latitude" {...event.field('latitude')} required inputMode="text" autoComplete="off" />
          <TextField label="Longitude" {...event.field('longitude')} required inputMode="text" autoComplete="off" />
        </div>
      </Disclosure>
    </EventFormSection>
  );
}

function LookupStatus({ lookup }: { lookup: AddressLookup }) {
  return (
    <p role="status" className={lookup.state === 'not-found' ? styles.warning : styles.lookup}>
      {lookup.state === 'incomplete' && "Enter the address and we'll find it on the map."}
      {lookup.state === 'finding' && 'Finding the address…'}
      {lookup.state === 'found' && `Pinned at ${lookup.address}. Drag the pin to adjust.`}
      {lookup.state === 'not-found' && lookup.msg}
    </p>
  );
}

/** Six decimals are about 10 cm. */
const degrees = (coordinate: number) => String(Number(coordinate.toFixed(6)));
