import type { OrganizerEvent } from '#contract/app/events.ts';
import { SUBTITLE_MAX, TITLE_MAX } from '#domain/limits.ts';
import { listingFields as text } from '#messages/sales/page-settings.ts';
import { seriesFields } from '#messages/series/series.ts';
import { CheckboxField, TextField } from '#web/ui/form/fields.tsx';
import { DescriptionField } from './DescriptionField.tsx';
import { EventFormSection } from './EventFormSection.tsx';
import type { EventDraft } from './use-event-draft.ts';

interface BasicsFieldsProps {
  event: EventDraft;
  /** The event being edited. A subtitle tells it from the other dates of its series. */
  stored: OrganizerEvent | undefined;
}

export function BasicsFields({ event, stored }: BasicsFieldsProps) {
  const isInSeries = stored?.seriesId !== undefined;
  const titleHint = stored?.isDraft ? seriesFields.titleHintOfDraft : seriesFields.titleHint;
  return (
    <EventFormSection title="Basics">
      <TextField
        label="Title"
        {...event.field('title')}
        hint={isInSeries ? titleHint : undefined}
        required
        counterMax={TITLE_MAX}
        autoComplete="off"
      />
      {isInSeries && (
        <TextField
          label={seriesFields.subtitle}
          {...event.field('subtitle')}
          hint={seriesFields.subtitleHint}
          counterMax={SUBTITLE_MAX}
          autoComplete="off"
        />
      )}
      <DescriptionField event={event} />
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
