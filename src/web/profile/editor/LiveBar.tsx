import { useState } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';
import type { EventPreview } from '#contract/app/sales/event-preview.ts';
import { saveStates, liveBar as text } from '#messages/records/event-editor.ts';
import { changesSince } from '#web/profile/event-dialogs/event-changes.ts';
import { draftOf } from '#web/profile/event-form/edit-draft.ts';
import type { Draft } from '#web/profile/event-form/event-draft.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import type { FormState } from '#web/ui/form/use-form.ts';
import { FORM_ID } from './EditorLayout.tsx';
import styles from './editor.module.css';
import { completed, editedOf } from './typed-event.ts';

interface LiveBarProps {
  fields: Draft;
  stored: OrganizerEvent;
  isEdited: boolean;
  emails: EventPreview['emails'];
  form: FormState;
  onDiscard: () => void;
}

/** How much of a published event is changed, and who is emailed about it. */
export function LiveBar({ fields, stored, isEdited, emails, form, onDiscard }: LiveBarProps) {
  const [isAsking, setIsAsking] = useState(false);
  const toFix = Object.keys(form.errors).length;
  if (!isEdited) return <p className={styles.state}>{text.unchanged}</p>;
  return (
    <>
      <p role="status" className={styles.state} data-state="waiting">
        {toFix > 0 ? saveStates.toFix(toFix) : summaryOf(countChanges(fields, stored), emails)}
      </p>
      <div className={styles.actions}>
        <Button kind="ghost" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          {text.discard}
        </Button>
        <Button type="submit" form={FORM_ID} kind="gold" busy={form.submitting}>
          {text.review}
        </Button>
      </div>
      {isAsking && (
        <Dialog title={text.discardTitle} open onClose={() => setIsAsking(false)}>
          <p>{text.discardWhy}</p>
          <div className={styles.choices}>
            <Button onClick={() => setIsAsking(false)}>{text.keep}</Button>
            <Button
              kind="danger"
              onClick={() => {
                setIsAsking(false);
                onDiscard();
              }}
            >
              {text.discard}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const summaryOf = (changes: number, emails: EventPreview['emails']): string =>
  [text.changes(changes), ...(emails ? [text.emails(emails)] : [])].join(' · ');

/** A field that isn't valid counts as well, as a change of its own. */
function countChanges(fields: Draft, stored: OrganizerEvent): number {
  const typed = completed(fields, draftOf(stored), new Date());
  if (!typed) return 1;
  return Math.max(1, changesSince(stored, editedOf(stored, typed.edit)).length + typed.replaced);
}
