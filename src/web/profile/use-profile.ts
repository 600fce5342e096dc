/** The signed-in organizer's profile, reloaded after every change and while it is on screen. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { profile } from '#contract/app/accounts.ts';
import type { OrganizerEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { unknownError } from '#messages/pages.ts';
import { eventList } from '#messages/records/workspace.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';

export type Profile = ReplyOf<typeof profile>;

const POLL_MS = 15_000;

export function useProfile() {
  const logIn = useLogIn();
  const [organizer, setOrganizer] = useState<Profile | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  /** The event of the list whose card is open. */
  const [opened, setOpened] = useState<OrganizerEvent | null>(null);
  const openedId = useRef<string | null>(null);

  const load = useCallback(async () => {
    const eventId = openedId.current;
    const [loaded, card] = await Promise.all([call(profile, {}), eventId && call(eventCard, { eventId })]);
    setOrganizer(loaded);
    setIsFailed(false);
    if (card && openedId.current === eventId) setOpened(card.event);
  }, []);

  const reload = useCallback(async () => {
    setIsFailed(false);
    try {
      await load();
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return logIn();
      setIsFailed(true);
      toast.error(`Error fetching profile: ${messageFrom(error, unknownError)}`);
    }
  }, [load, logIn]);

  useEffect(() => void reload(), [reload]);

  useEffect(() => {
    const timer = setInterval(() => {
      // An open dialog edits the event as it was when it opened.
      const isIdle = document.visibilityState === 'visible' && !document.documentElement.hasAttribute('data-modal');
      // The next one may succeed, so a failure shows nothing.
      if (isIdle) load().catch(() => undefined);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [load]);

  /** Opens the event's card in the list, and closes the one that is open. */
  async function toggleCard(eventId: string) {
    const isOpen = openedId.current === eventId;
    openedId.current = isOpen ? null : eventId;
    setOpened(null);
    if (isOpen) return;
    try {
      const { event } = await call(eventCard, { eventId });
      if (openedId.current === eventId) setOpened(event);
    } catch (error) {
      openedId.current = null;
      toast.error(messageFrom(error, eventList.notLoaded));
    }
  }

  return { organizer, isFailed, reload, opened, toggleCard };
}
