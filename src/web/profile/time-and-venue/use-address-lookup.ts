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

/** With `isPlaced`, the initial address is not looked up: its pin may have been placed by hand. */
export function useAddressLookup(
  { street, city, state, postalCode }: Address,
  isPlaced: boolean,
  onFound: (latitude: number, longitude: number) => void,
): AddressLookup {
  const address = [street, city, state, postalCode].map((part) => part.trim()).join('\n');
  const initialAddress = useRef(isPlaced ? address : null);
  const [lookup, setLookup] = useState<AddressLookup>({ state: 'incomplete' });
  const placePin = useEffectEvent(onFound);

  useEffect(() => {
    if (address === initialAddress.current) return setLookup({ state: 'unchanged' });
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
  }, [address]);

  return lookup;
}
