import { useState } from 'react';
import { type OperatorPlan, savePlan } from '#contract/app/plans.ts';
import { PLAN_NAME_MAX } from '#domain/limits.ts';
import { planTexts as text } from '#messages/records/plans.ts';
import { call } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { formOfPlan, planForm, planOfForm } from './plan-form.ts';
import styles from './plans.module.css';

const amounts = { autoComplete: 'off', inputMode: 'decimal', required: true } as const;
const counts = { ...amounts, inputMode: 'numeric' } as const;

/** Edits a plan, or creates one that starts with the figures of `plan`. */
export function PlanDialog({
  plan,
  isNew,
  onClose,
  onSaved,
}: {
  plan: OperatorPlan;
  isNew: boolean;
  onClose: () => void;
  onSaved: () => Promise<void>;
}) {
  // Kept, so that a repeated request creates no second plan.
  const [planId] = useState(() => (isNew ? newUuid() : plan.planId));
  const stored = formOfPlan(plan);
  const form = useForm(
    planForm,
    async (values) => {
      toast.success((await call(savePlan, planOfForm(planId, values))).msg);
      onClose();
      await onSaved();
    },
    { fallback: text.failed },
  );
  const of = (name: Exclude<keyof typeof stored, 'isPublic'>) => ({ name, defaultValue: stored[name] });

  return (
    <Dialog title={isNew ? text.add : text.editNamed(plan.name)} open onClose={onClose}>
      <Form form={form}>
        <TextField
          label={text.name}
          name="name"
          defaultValue={isNew ? '' : stored.name}
          counterMax={PLAN_NAME_MAX}
          autoComplete="off"
          required
        />
        <div className={styles.fields}>
          <TextField label={text.form.activeEvents} {...of('activeEventsMax')} {...counts} />
          <TextField label={text.form.processing} {...of('processing')} {...amounts} />
          <TextField label={text.form.standardPercent} {...of('standardPercent')} {...amounts} />
          <TextField label={text.form.standardFlat} {...of('standardFlat')} {...amounts} />
        </div>
        <TextField label={text.form.largeFrom} {...of('largeFrom')} {...counts} />
        <div className={styles.fields}>
          <TextField label={text.form.largePercent} {...of('largePercent')} {...amounts} />
          <TextField label={text.form.largeFlat} {...of('largeFlat')} {...amounts} />
        </div>
        <CheckboxField label={text.form.isPublic} name="isPublic" defaultChecked={!isNew && stored.isPublic} />
        <Button type="submit" busy={form.submitting}>
          {text.form.save}
        </Button>
      </Form>
    </Dialog>
  );
}
