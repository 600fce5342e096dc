import { useState } from 'react';
import { setAutomaticPayouts } from '#contract/app/payouts.ts';
import type { PayoutList } from '#contract/app/records/workspace.ts';
import { automaticPayouts as text } from '#messages/payouts.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { CheckboxField } from '#web/ui/form/fields.tsx';

interface AutomaticPayoutsProps {
  automatic: PayoutList['automatic'];
  onChanged: () => Promise<void>;
}

/** Whether payouts of the organization are requested for it. Saved with the press. */
export function AutomaticPayouts({ automatic: { isOn, mayChange }, onChanged }: AutomaticPayoutsProps) {
  /** What was asked for, until the page knows. */
  const [asked, setAsked] = useState<boolean | null>(null);

  async function change(next: boolean) {
    if (asked !== null) return;
    setAsked(next);
    try {
      const { msg } = await call(setAutomaticPayouts, { isOn: next });
      await onChanged();
      toast.success(msg);
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setAsked(null);
  }

  if (!mayChange) return isOn ? <p>{text.isOn}</p> : null;
  return (
    <CheckboxField
      label={text.label}
      name="automaticPayouts"
      hint={isOn === null ? text.noAccount : text.hint}
      disabled={isOn === null}
      checked={asked ?? isOn ?? false}
      onChange={({ currentTarget }) => void change(currentTarget.checked)}
    />
  );
}
