import { attendantForm, codeLength, enterAttendantCode } from '#contract/admission.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Form } from '#web/ui/Form.tsx';
import { CodeField, Honeypot } from '#web/ui/fields.tsx';
import { toast } from '#web/ui/toast.ts';
import { useForm } from '#web/ui/use-form.ts';
import { doorMessage } from './outcome.ts';
import styles from './scanner.module.css';
import { unlockSound } from './signals.ts';
import { useDoorGround } from './use-door-ground.ts';

interface AttendantCodeFormProps {
  eventId: string;
  title: string | undefined;
  onAccepted: () => void;
}

/** The door stays shut until the server knows the code. */
export function AttendantCodeForm({ eventId, title, onAccepted }: AttendantCodeFormProps) {
  useDoorGround(undefined);
  const form = useForm(attendantForm, async (formData) => {
    unlockSound();
    try {
      const { msg } = await call(enterAttendantCode, { formData, eventId });
      toast.success(msg);
      onAccepted();
    } catch (error) {
      toast.error(doorMessage(error));
    }
  });

  return (
    <div className={styles.entry}>
      <p className={styles.overline}>Door scanner</p>
      <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
      <p>Enter the code that the organizer gave you. Then scan tickets with the camera, or type their codes.</p>
      <Form form={form}>
        <CodeField label="Attendant Code" name="attendantCode" maxLength={codeLength} required />
        <Honeypot />
        <Button type="submit" size="lg" busy={form.submitting}>
          Open the scanner
        </Button>
      </Form>
    </div>
  );
}
