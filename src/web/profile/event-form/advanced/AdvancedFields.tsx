import { advancedFields as text } from '#messages/records/event-editor.ts';
import { EventFormSection } from '#web/profile/event-form/EventFormSection.tsx';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { CheckInHoursFields } from './CheckInHoursFields.tsx';
import { OnSaleFields } from './OnSaleFields.tsx';

/** What most events leave as it is. */
export function AdvancedFields({ event }: { event: EventDraft }) {
  return (
    <EventFormSection title={text.title}>
      <OnSaleFields event={event} />
      <CheckInHoursFields event={event} />
    </EventFormSection>
  );
}
