import * as z from 'zod/mini';
import { editDoorNote } from '#contract/app/sales/door-notes.ts';
import { DOOR_NOTE_MAX } from '#domain/sales/guest-form.ts';
import { doorNoteDialog as text } from '#messages/sales/door-notes.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextArea } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Dialog } from './Dialog.tsx';
import styles from './guest-dialogs.module.css';

const noteForm = z.pick(editDoorNote.input, { doorNote: true });

interface DoorNoteDialogProps {
  eventId: string;
  ticketId: string;
  /** Names the guest in the title. */
  who: string;
  /** Blank without one. */
  doorNote: string;
  onSaved: (doorNote: string) => void;
  onClose: () => void;
}

/** What the door should know about a guest. */
export function DoorNoteDialog({ eventId, ticketId, who, doorNote, onSaved, onClose }: DoorNoteDialogProps) {
  const form = useForm(
    noteForm,
    async (typed) => {
      const { msg } = await call(editDoorNote, { eventId, ticketId, ...typed });
      toast.success(msg);
      onSaved(typed.doorNote);
      onClose();
    },
    { fallback: text.notSaved },
  );
  return (
    <Dialog title={text.title(who)} open onClose={onClose}>
      <Form form={form} className={styles.form}>
        <TextArea
          label={text.label}
          name="doorNote"
          hint={text.hint}
          counterMax={DOOR_NOTE_MAX}
          defaultValue={doorNote}
          rows={3}
          autoComplete="off"
          data-autofocus
        />
        <div className={styles.choices}>
          <Button type="submit" busy={form.submitting}>
            {text.save}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
