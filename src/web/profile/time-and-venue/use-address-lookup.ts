/** Geocodes the address once it is complete and typing has paused. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { getCoords } from '#contract/app/events.ts';
import { eventErrors } from '#messages/events.ts';
import { addressLine } from '#messages/format.ts';
import { call, messageFrom } from '#web/api.ts';

export type AddressLookup =
  | { state: 'incomplete' | 'unchanged' | 'finding' }
  | { state: 'found'; address: string }
  | { state: 'not-found'; msg: string };

type Address = { street: string; city: string; state: string; postalCode: string };

const PAUSE_MS = 600;

interface Lookup {
  /** The initial address is not looked up: its pin may have been placed by hand. */
  isPlaced: boolean;
  /** Neither is this one. */
  known: Address | null;
  onFound: (latitude: number, longitude: number) => void;
}

const written = ({ street, city, state, postalCode }: Address): string =>
  [street, city, state, postalCode].map((part) => part.trim()).join('\n');

export function useAddressLookup(typed: Address, { isPlaced, known, onFound }: Lookup): AddressLookup {
  const address = written(typed);
  const isKnown = known !== null && written(known) === address;
  const initialAddress = useRef(isPlaced ? address : null);
  const [lookup, setLookup] = useState<AddressLookup>({ state: 'incomplete' });
  const placePin = useEffectEvent(onFound);

  useEffect(() => {
    if (isKnown || address === initialAddress.current) return setLookup({ state: 'unchanged' });
    initialAddress.current = null;
    const [street = '', city = '', state = '', postalCode = ''] = address.split('\n');
    const complete = getCoords.input.safeParse({ street, city, state, postalCode });
    if (!complete.success) return setLookup({ state: 'incomplete' });

    let isOutdated = false;
    const timer = setTimeout(async () => {
      setLookup({ state: 'finding' });
      try {
        const { lat, lng } = await call(getCoords, complete.data);
        if (isOutdated) return;
        placePin(lat, lng);
        setLookup({ state: 'found', address: addressLine({ street, city, state, postalCode }) });
      } catch (error) {
        if (!isOutdated) setLookup({ state: 'not-found', msg: messageFrom(error, eventErrors['address.not-found']) });
      }
    }, PAUSE_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [address, isKnown]);

  return lookup;
}
