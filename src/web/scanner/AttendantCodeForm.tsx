import { useSyncExternalStore } from 'react';
import { attendantForm, codeLength, enterAttendantCode } from '#contract/admission.ts';
import { noListYet, scansWait } from '#contract/door.ts';
import { DEVICE_NAME_MAX } from '#domain/limits.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/Button.tsx';
import { Form } from '#web/ui/Form.tsx';
import { CodeField, Honeypot, TextField } from '#web/ui/fields.tsx';
import { toast } from '#web/ui/toast.ts';
import { useForm } from '#web/ui/use-form.ts';
import { doorMessage } from './check-in/check-in-result.ts';
import { unlockSound } from './check-in/signals.ts';
import { deviceName, rememberDeviceName } from './device-preferences.ts';
import { LeaveDoor } from './EndShift.tsx';
import styles from './scanner.module.css';
import { useDoorGround } from './use-background.ts';

interface AttendantCodeFormProps {
  eventId: string;
  title: string | undefined;
  /** Scans of this device that the server has not heard of. */
  pending: number;
  whyClosed: string | null;
  onAccepted: () => Promise<void>;
  onDiscard: () => Promise<void>;
}

/** The door stays shut until the server knows the code. */
export function AttendantCodeForm({
  eventId,
  title,
  pending,
  whyClosed,
  onAccepted,
  onDiscard,
}: AttendantCodeFormProps) {
  useDoorGround(undefined);
  const isOnline = useSyncExternalStore(followNetwork, () => navigator.onLine);
  const form = useForm(attendantForm, async ({ deviceName: name, ...code }) => {
    unlockSound();
    try {
      const formData = { ...code, ...(name && { deviceName: name }) };
      const { msg } = await call(enterAttendantCode, { formData, eventId });
      rememberDeviceName(name ?? '');
      toast.success(msg);
      await onAccepted();
    } catch (error) {
      toast.error(isOnline ? doorMessage(error) : noListYet);
    }
  });

  return (
    <>
      <div className={styles.entry}>
        <p className={styles.overline}>Door scanner</p>
        <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
        {whyClosed !== null && <p>{whyClosed}</p>}
        {!isOnline && <p>{noListYet}</p>}
        {pending > 0 && <p>{scansWait(pending)}</p>}
        <p>Enter the code that the organizer gave you. Then scan tickets with the camera, or type their codes.</p>
        <Form form={form}>
          <CodeField label="Attendant Code" name="attendantCode" maxLength={codeLength} required />
          <TextField
            label="Device name"
            name="deviceName"
            hint="Optional, such as Gate 2: others see it where this device has let somebody in."
            counterMax={DEVICE_NAME_MAX}
            defaultValue={deviceName()}
            autoComplete="off"
          />
          <Honeypot />
          <Button type="submit" size="lg" busy={form.submitting}>
            Open the scanner
          </Button>
        </Form>
      </div>
      {pending > 0 && <LeaveDoor pending={pending} onLeave={onDiscard} />}
    </>
  );
}

/** A hint, no more: it explains what the next try will run into. */
function followNetwork(tell: () => void): () => void {
  addEventListener('online', tell);
  addEventListener('offline', tell);
  return () => {
    removeEventListener('online', tell);
    removeEventListener('offline', tell);
  };
}
