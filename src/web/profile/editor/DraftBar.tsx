import type { OrganizerEvent } from '#contract/app/events.ts';
import { saveStates as text } from '#messages/records/event-editor.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { messageFrom } from '#web/api.ts';
import { SavedElsewhere } from '#web/profile/event-dialogs/SavedElsewhere.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import type { FormState } from '#web/ui/form/use-form.ts';
import type { Saving } from './draft-saver.ts';
import { FORM_ID } from './EditorLayout.tsx';
import styles from './editor.module.css';
import { isOutage, type useAutoSave } from './use-auto-save.ts';

interface DraftBarProps {
  autoSave: ReturnType<typeof useAutoSave>;
  form: FormState;
  stored: OrganizerEvent;
  onLoadLatest: () => void;
}

/** Whether the draft is saved, and *Publish*. */
export function Component({ autoSave: { saving, saver }, form, stored, onLoadLatest }: DraftBarProps) {
  const toFix = Object.keys(form.errors).length;
  return (
    <>
      {saving.is === 'outdated' && (
        <div className={styles.conflict}>
          <SavedElsewhere
            stored={stored}
            latest={saving.latest}
            isSaving={false}
            onSaveAnyway={(latest) => void saver.saveOver(latest)}
            onTryAgain={() => void saver.save()}
            onLoadLatest={onLoadLatest}
          />
        </div>
      )}
      <p role="status" className={styles.state} data-state={saving.is}>
        {toFix > 0 ? text.toFix(toFix) : sayingOf(saving)}
      </p>
      <div className={styles.actions}>
        {saving.is === 'failed' && (
          <Button kind="ghost" onClick={() => void saver.save()}>
            {text.tryAgain}
          </Button>
        )}
        <Button type="submit" form={FORM_ID} kind="gold" busy={form.submitting}>
          {lifeActions.publish}
        </Button>
      </div>
    </>
  );
}

function sayingOf(saving: Saving): string {
  switch (saving.is) {
    case 'incomplete':
      return text.incomplete(saving.problems);
    case 'failed':
      return isOutage(saving.error) ? `${text.failed} ${text.retrying}` : messageFrom(saving.error, text.failed);
    case 'outdated':
      return '';
    default:
      return text[saving.is];
  }
}
