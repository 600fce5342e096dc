import { useEffect, useEffectEvent, useState } from 'react';
import { toast } from '#web/ui/toast.ts';
import { followSale, type SaleSeen } from './poll-sale.ts';
import { type Turn, turnOf } from './sale-stage.ts';

const MISSES_BORNE = 2;

/**
 * The sale of an event, second by second; `turn` is null until it is known.
 *
 * @param looks see OnSale
 */
export function useSale(eventId: string, looks: number, onGone: () => void) {
  const [seen, setSeen] = useState<SaleSeen | null>(null);
  const [misses, setMisses] = useState({ count: 0, why: '' });
  const [newPlaces, setNewPlaces] = useState({ asked: 0, isAsking: false });
  const now = useNow();
  const answered = () => setNewPlaces(({ asked }) => ({ asked, isAsking: false }));
  const gone = useEffectEvent(() => {
    answered();
    onGone();
  });
  const missed = useEffectEvent((why: string) => {
    setMisses(({ count }) => ({ count: count + 1, why }));
    // Who has asked for something is told at once that it did not work.
    if (newPlaces.isAsking) toast.error(why);
    answered();
  });
  const reached = useEffectEvent(() => {
    setMisses({ count: 0, why: '' });
    answered();
  });
  const follow = useEffectEvent((signal: AbortSignal) =>
    followSale(
      eventId,
      seen,
      {
        seen: setSeen,
        reached: () => reached(),
        missed: (why) => missed(why),
        gone: () => gone(),
      },
      signal,
    ),
  );

  useEffect(() => {
    const stop = new AbortController();
    void follow(stop.signal);
    return () => stop.abort();
  }, [eventId, looks, newPlaces.asked]);

  const moment = new Date(now + (seen?.aheadMs ?? 0));
  const turn: Turn | null = seen && turnOf(seen.sale, seen.place, moment);
  return {
    turn,
    now: moment,
    sale: seen?.sale ?? null,
    /** Why the sale is out of reach; null while it is not. */
    outOfReach: misses.count >= MISSES_BORNE ? misses.why : null,
    getNewPlace: () => setNewPlaces(({ asked }) => ({ asked: asked + 1, isAsking: true })),
    isGettingPlace: newPlaces.isAsking,
  };
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
