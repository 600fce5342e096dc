/** Time zone at a map position. Loads the lookup table with the first pin; `null` until then or if loading fails. */
import { useEffect, useState } from 'react';
import { loadCode } from '#web/load-code.ts';

export function usePinZone(pin: { latitude: number; longitude: number } | null): string | null {
  const [zone, setZone] = useState<string | null>(null);
  const { latitude = null, longitude = null } = pin ?? {};

  useEffect(() => {
    let isOutdated = false;
    async function find() {
      const found = latitude === null || longitude === null ? null : await zoneAt(latitude, longitude);
      if (!isOutdated) setZone(found);
    }
    void find();
    return () => {
      isOutdated = true;
    };
  }, [latitude, longitude]);

  return zone;
}

async function zoneAt(latitude: number, longitude: number): Promise<string | null> {
  const table = await loadCode(() => import('@photostructure/tz-lookup')).catch(() => null);
  return table && table.default(latitude, longitude);
}
