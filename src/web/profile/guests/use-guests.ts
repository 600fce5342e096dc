/** Guests of one event: the first page comes with the profile, then search results and further pages. */
import { useEffect, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { type Guest, guestPage } from '#contract/app/guests.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { SUBSTRING_SEARCH_GUESTS_MAX } from '#domain/limits.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

interface GuestPage {
  guestList: Guest[];
  guestListNext: string | null;
  /** Pages loaded for the current search. */
  isByBeginning?: boolean;
}

const PAUSE_MS = 300;

export function useGuests(event: OrganizerEvent) {
  const [query, setQuery] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const [page, setPage] = useState<GuestPage>(event);
  const [isLoading, setIsLoading] = useState(false);
  const { eventId } = event;
  const q = query.trim();

  useEffect(() => {
    if (!q && !isWhole) return setPage(event);
    let isOutdated = false;
    const timer = setTimeout(async () => {
      const found = await load({ eventId, ...wish(q, isWhole) });
      if (found && !isOutdated) setPage(found);
    }, PAUSE_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [q, isWhole, event, eventId]);

  async function loadMore() {
    if (!page.guestListNext) return;
    setIsLoading(true);
    const more = await load({ eventId, after: page.guestListNext, ...wish(q, isWhole) });
    setIsLoading(false);
    if (more) setPage({ ...more, guestList: [...page.guestList, ...more.guestList] });
  }

  /** Without loading the list again, which would lose the place in it. */
  function correct(orderId: string, email: string) {
    const guestList = page.guestList.map((guest) =>
      guest.orderId === orderId && !guest.isTransferred ? { ...guest, email } : guest,
    );
    setPage({ ...page, guestList });
  }

  /** Shows it at once: the list is read again later. */
  function setDoorNote(ticketId: string, doorNote: string) {
    setPage((last) => ({
      ...last,
      guestList: last.guestList.map((guest) => (guest.ticketId === ticketId ? { ...guest, doorNote } : guest)),
    }));
  }

  return {
    setDoorNote,
    query,
    setQuery,
    isWhole,
    setIsWhole,
    guests: page.guestList,
    hasMore: page.guestListNext !== null,
    loadMore,
    correct,
    isLoading,
    isByBeginning: page.isByBeginning ?? event.ticketsSold > SUBSTRING_SEARCH_GUESTS_MAX,
  };
}

const wish = (q: string, isWhole: boolean) => ({ ...(q && { q }), ...(isWhole && { all: '1' as const }) });

async function load(wanted: InputOf<typeof guestPage>): Promise<GuestPage | null> {
  try {
    return await call(guestPage, wanted);
  } catch (error) {
    toast.error(messageFrom(error, "We couldn't load the guest list."));
    return null;
  }
}
