import { useRef, useState } from 'react';
import { duplicateEvent } from '#contract/app/sales/event-life.ts';
import { outage } from '#messages/pages.ts';
import { lifeActions as text } from '#messages/sales/event-life.ts';
import { call, messageFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { toast } from '#web/ui/feedback/toast.ts';

/** Copies an event as a draft. */
export function useDuplicate({ eventId, title }: { eventId: string; title: string }, onChanged: () => Promise<void>) {
  const [isBusy, setIsBusy] = useState(false);
  // Pressed again before the answer, or after it was lost, the button asks for the same copy.
  const duplicateId = useRef(newUuid());

  async function duplicate() {
    setIsBusy(true);
    try {
      await call(duplicateEvent, { eventId, duplicateId: duplicateId.current });
      duplicateId.current = newUuid();
      toast.success(text.duplicated(title));
      await onChanged();
    } catch (error) {
      toast.error(messageFrom(error, outage));
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, duplicate };
}
