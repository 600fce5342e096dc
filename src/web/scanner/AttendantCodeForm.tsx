import { useSyncExternalStore } from 'react';
import { attendantForm, codeLength, enterAttendantCode } from '#contract/app/check-in.ts';
import { DEVICE_NAME_MAX } from '#domain/limits.ts';
import { memberEntry } from '#messages/check-in.ts';
import { offlineListMissing, unsyncedScans } from '#messages/check-in-offline.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CodeField, Honeypot, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { checkInMessage } from './check-in/check-in-result.ts';
import { unlockSound } from './check-in/signals.ts';
import { saveDeviceName, savedDeviceName } from './device-preferences.ts';
import { EndShift } from './EndShift.tsx';
import type { SessionState } from './offline/check-in-session.ts';
import styles from './scanner.module.css';
import { useScannerBackground } from './use-background.ts';

interface AttendantCodeFormProps {
  eventId: string;
  title: string | undefined;
  /** Scans on this device that have not synced. */
  pending: number;
  closedReason: string | null;
  login: SessionState['login'];
  /** Lets a member in who ended their shift. */
  onReturn: () => Promise<void>;
  onAccepted: () => Promise<void>;
  onDiscard: () => Promise<void>;
}

export function AttendantCodeForm({
  eventId,
  title,
  pending,
  closedReason,
  login,
  onReturn,
  onAccepted,
  onDiscard,
}: AttendantCodeFormProps) {
  useScannerBackground(undefined);
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  const form = useForm(attendantForm, async ({ deviceName: name, ...code }) => {
    unlockSound();
    try {
      const formData = { ...code, ...(name && { deviceName: name }) };
      const { msg } = await call(enterAttendantCode, { formData, eventId });
      saveDeviceName(name ?? '');
      toast.success(msg);
      await onAccepted();
    } catch (error) {
      toast.error(isOnline ? checkInMessage(error) : offlineListMissing);
    }
  });

  return (
    <>
      <div className={styles.entry}>
        <p className={styles.overline}>Door scanner</p>
        <h1 tabIndex={-1}>{title ?? 'Check guests in'}</h1>
        {closedReason !== null && <p>{closedReason}</p>}
        {!isOnline && <p>{offlineListMissing}</p>}
        {pending > 0 && <p>{unsyncedScans(pending)}</p>}
        {login === 'denied' && <p>{memberEntry.denied}</p>}
        {login === 'member' && (
          <Button kind="gold" size="lg" onClick={onReturn}>
            {memberEntry.again}
          </Button>
        )}
        <p>Enter the code from your organizer, then scan tickets or type them in.</p>
        <Form form={form}>
          <CodeField label="Attendant Code" name="attendantCode" maxLength={codeLength} required />
          <TextField
            label="Device name"
            name="deviceName"
            hint='Optional, like "Gate 2". Shown next to everyone you check in.'
            counterMax={DEVICE_NAME_MAX}
            defaultValue={savedDeviceName()}
            autoComplete="off"
          />
          <Honeypot />
          <Button type="submit" size="lg" busy={form.submitting}>
            Open the scanner
          </Button>
        </Form>
      </div>
      {pending > 0 && <EndShift pending={pending} onLeave={onDiscard} />}
    </>
  );
}

/** A hint only: the form still submits while the browser reports being offline. */
function subscribeToNetwork(notify: () => void): () => void {
  addEventListener('online', notify);
  addEventListener('offline', notify);
  return () => {
    removeEventListener('online', notify);
    removeEventListener('offline', notify);
  };
}
