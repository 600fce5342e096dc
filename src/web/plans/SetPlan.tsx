import { type OperatorPlan, setPlan } from '#contract/app/plans.ts';
import { planTexts } from '#messages/records/plans.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './plans.module.css';

const text = planTexts.set;

export function SetPlan({ plans, onSet }: { plans: readonly OperatorPlan[]; onSet: () => Promise<void> }) {
  const form = useForm(
    setPlan.input,
    async (change, element) => {
      toast.success((await call(setPlan, change)).msg);
      element.reset();
      await onSet();
    },
    { fallback: planTexts.failed },
  );
  const options = plans
    .filter(({ isRetired }) => !isRetired)
    .map(({ planId, name }) => ({ value: planId, label: name }));

  return (
    <section className={styles.set} aria-labelledby="set-plan-title">
      <h2 id="set-plan-title">{text.title}</h2>
      <p>{text.why}</p>
      <Form form={form}>
        <TextField label={text.organization} name="organization" autoComplete="off" required />
        <SelectField label={text.plan} name="planId" options={options} />
        <Button type="submit" busy={form.submitting}>
          {text.submit}
        </Button>
      </Form>
    </section>
  );
}
