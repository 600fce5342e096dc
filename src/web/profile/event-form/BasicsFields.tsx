import { DESCRIPTION_MAX, TITLE_MAX } from '#domain/limits.ts';
import { listingFields as text } from '#messages/sales/page-settings.ts';
import { CheckboxField, TextArea, TextField } from '#web/ui/form/fields.tsx';
import { EventFormSection } from './EventFormSection.tsx';
import type { EventDraft } from './use-event-draft.ts';

export function BasicsFields({ event }: { event: EventDraft }) {
  return (
    <EventFormSection title="Basics">
      <TextField label="Title" {...event.field('title')} required counterMax={TITLE_MAX} autoComplete="off" />
      <TextArea label="Description" {...event.field('description')} required counterMax={DESCRIPTION_MAX} rows={5} />
      <TextField
        label="Participants"
        {...event.field('participants')}
        required
        inputMode="numeric"
        autoComplete="off"
        hint="How many people do you expect? Only used to estimate fees."
      />
      <CheckboxField
        label={text.isListed}
        name="isListed"
        hint={text.isListedHint}
        checked={event.text('isListed') !== ''}
        onChange={({ target }) => event.set({ isListed: target.checked ? 'yes' : '' })}
      />
    </EventFormSection>
  );
}
