import type { OrganizerEvent } from '#contract/app/events.ts';
import { saveStates as text } from '#messages/records/event-editor.ts';
import { lifeActions } from '#messages/sales/event-life.ts';
import { messageFrom } from '#web/api.ts';
import { ChangesNotLoaded, EditConflict } from '#web/profile/event-dialogs/EditConflict.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import type { FormState } from '#web/ui/form/use-form.ts';
import { bringIntoView } from '#web/ui/page/bring-into-view.ts';
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
export function DraftBar({ autoSave: { saving, saver }, form, stored, onLoadLatest }: DraftBarProps) {
  const toFix = Object.keys(form.errors).length;
  return (
    <>
      {saving.is === 'outdated' && (
        <div ref={bringIntoView} className={styles.conflict}>
          {saving.latest ? (
            <EditConflict
              stored={stored}
              latest={saving.latest}
              isSaving={false}
              onSaveAnyway={() => saving.latest && void saver.saveOver(saving.latest)}
              onLoadLatest={onLoadLatest}
            />
          ) : (
            <ChangesNotLoaded isLoading={false} onTryAgain={() => void saver.save()} />
          )}
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
