import * as z from 'zod/mini';
import { setReserve } from '#contract/app/plans.ts';
import { because } from '#contract/forms/form-problem.ts';
import { RESERVE_DAYS_MAX, RESERVE_PERCENT_MAX } from '#domain/payouts/brakes.ts';
import { planTexts, reserveTexts as text } from '#messages/records/plans.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './plans.module.css';

/** Null for an empty field, undefined unless it is a whole number in range. */
function numberOf(typed: string, [min, max]: readonly [min: number, max: number]): number | null | undefined {
  if (typed.trim() === '') return null;
  const number = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : -1;
  return number >= min && number <= max ? number : undefined;
}

const PERCENT = [0, RESERVE_PERCENT_MAX] as const;
const DAYS = [1, RESERVE_DAYS_MAX] as const;

const reserveForm = z.object({
  organization: z.string(),
  percent: z
    .string()
    .check(z.refine((typed) => numberOf(typed, PERCENT) !== undefined, because('reserve-percent.invalid'))),
  days: z.string().check(z.refine((typed) => numberOf(typed, DAYS) !== undefined, because('reserve-days.invalid'))),
});

export function SetReserve() {
  const form = useForm(
    reserveForm,
    async ({ organization, percent, days }, element) => {
      const reserve = { percent: numberOf(percent, PERCENT) ?? null, days: numberOf(days, DAYS) ?? null };
      toast.success((await call(setReserve, { organization, ...reserve })).msg);
      element.reset();
    },
    { fallback: planTexts.failed },
  );
  const count = { inputMode: 'numeric', autoComplete: 'off', hint: text.hint } as const;

  return (
    <section className={styles.set} aria-labelledby="set-reserve-title">
      <h2 id="set-reserve-title">{text.title}</h2>
      <p>{text.why}</p>
      <Form form={form}>
        <TextField label={text.organization} name="organization" autoComplete="off" required />
        <div className={styles.fields}>
          <TextField label={text.percent} name="percent" {...count} />
          <TextField label={text.days} name="days" {...count} />
        </div>
        <Button type="submit" busy={form.submitting}>
          {text.submit}
        </Button>
      </Form>
    </section>
  );
}
