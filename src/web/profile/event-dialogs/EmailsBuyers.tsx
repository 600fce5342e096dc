import { keepEditing, saveAndEmail } from '#messages/events.ts';
import styles from '#web/profile/event-form/EventForm.module.css';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';

interface EmailsBuyersProps {
  /** How many buyers saving emails, and about what. */
  what: string;
  isSaving: boolean;
  onSave: (button: HTMLButtonElement) => void;
  onKeepEditing: () => void;
}

/** Asks before an edit that emails buyers: an email can't be undone. */
export function EmailsBuyers({ what, isSaving, onSave, onKeepEditing }: EmailsBuyersProps) {
  return (
    <Banner kind="warning" role="alert" title={what}>
      <div className={styles.choices}>
        <Button busy={isSaving} onClick={({ currentTarget }) => onSave(currentTarget)}>
          {saveAndEmail}
        </Button>
        <Button kind="ghost" onClick={onKeepEditing}>
          {keepEditing}
        </Button>
      </div>
    </Banner>
  );
}
