import { type ReactNode, type RefObject, useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { FeeTerms } from '#domain/fees.ts';
import { eventEditor as text } from '#messages/records/event-editor.ts';
import { AdvancedFields } from '#web/profile/event-form/advanced/AdvancedFields.tsx';
import { BasicsFields } from '#web/profile/event-form/BasicsFields.tsx';
import form from '#web/profile/event-form/EventForm.module.css';
import { EventReview } from '#web/profile/event-form/EventReview.tsx';
import { TicketFields } from '#web/profile/event-form/TicketFields.tsx';
import type { EventDraft } from '#web/profile/event-form/use-event-draft.ts';
import { WhenFields } from '#web/profile/time-and-venue/WhenFields.tsx';
import { WhereFields } from '#web/profile/time-and-venue/WhereFields.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import type { FormState } from '#web/ui/form/use-form.ts';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './editor.module.css';
import { type PhotoDialog, PhotosSection } from './PhotosSection.tsx';
import { PreviewPane } from './PreviewPane.tsx';
import type { Preview } from './use-preview.ts';

interface EditorLayoutProps {
  event: EventDraft;
  stored?: OrganizerEvent | undefined;
  terms: FeeTerms;
  form: FormState;
  /** Around the form, to read what its fields say. */
  area?: RefObject<HTMLDivElement | null> | undefined;
  preview: Preview;
  /** To the page itself. */
  link: ReactNode;
  onPhotos: (dialog: PhotoDialog) => void;
  /** Above the fields. */
  notes?: ReactNode;
  /** Below them, in view at all times: what is saved, and what to do next. */
  bar: ReactNode;
}

/** Its buttons are outside of it. */
export const FORM_ID = 'event-form';

const PANES = ['edit', 'preview'] as const;

/** The fields, and next to them the page; one of the two where there is no room for both. */
export function EditorLayout({ event, stored, terms, area, preview, link, notes, bar, ...props }: EditorLayoutProps) {
  const [pane, setPane] = useState<(typeof PANES)[number]>('edit');
  return (
    <div className={styles.editor} data-pane={pane}>
      <div role="group" aria-label={text.panes} className={styles.panes}>
        {PANES.map((one) => (
          <Button key={one} kind="ghost" aria-pressed={one === pane} onClick={() => setPane(one)}>
            {text[one]}
          </Button>
        ))}
      </div>
      <div ref={area} className={styles.fields}>
        {notes}
        <Form form={props.form} id={FORM_ID} label={text.form} className={classNames(form.form, styles.form)}>
          <BasicsFields event={event} stored={stored} />
          <WhenFields event={event} stored={stored} />
          <WhereFields event={event} />
          <TicketFields event={event} stored={stored} terms={terms} />
          <PhotosSection event={stored} onOpen={props.onPhotos} />
          <AdvancedFields event={event} />
          <EventReview event={event} terms={terms} />
        </Form>
      </div>
      <section className={styles.bar} aria-label={text.state}>
        {bar}
      </section>
      <div className={styles.preview}>
        <PreviewPane preview={preview} isNew={!stored} link={link} />
      </div>
    </div>
  );
}
