/** A plan as an operator types it. */
import * as z from 'zod/mini';
import type { OperatorPlan, savePlan } from '#contract/app/plans.ts';
import { planName } from '#contract/app/plans.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { because, type FormReason } from '#contract/forms/form-problem.ts';
import { PLAN_COUNT_MAX } from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';

const field = (parse: (text: string) => number | null, reason: FormReason) =>
  z.string().check(z.refine((text) => parse(text) !== null, because(reason)));

const amount = field(centsOf, 'plan-amount.invalid');
const percent = field(basisPointsOf, 'plan-percent.invalid');
const count = field(countOf, 'plan-count.invalid');

export const planForm = z.object({
  name: planName,
  activeEventsMax: count,
  processing: amount,
  standardPercent: percent,
  standardFlat: amount,
  largeFrom: count,
  largePercent: percent,
  largeFlat: amount,
  isPublic: z.boolean(),
});

export type PlanForm = z.infer<typeof planForm>;

/** Percentages have two decimals, like amounts. */
function basisPointsOf(text: string): number | null {
  const hundredths = centsOf(text.replace(/\s*%$/, ''));
  return hundredths !== null && hundredths < 100_00 ? hundredths : null;
}

function countOf(text: string): number | null {
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= PLAN_COUNT_MAX ? number : null;
}

export function planOfForm(planId: string, form: PlanForm): InputOf<typeof savePlan> {
  return {
    planId,
    name: form.name,
    activeEventsMax: countOf(form.activeEventsMax) ?? 0,
    terms: {
      processingCents: centsOf(form.processing) ?? 0,
      standard: { basisPoints: basisPointsOf(form.standardPercent) ?? 0, flatCents: centsOf(form.standardFlat) ?? 0 },
      large: { basisPoints: basisPointsOf(form.largePercent) ?? 0, flatCents: centsOf(form.largeFlat) ?? 0 },
      largeFrom: countOf(form.largeFrom) ?? 0,
    },
    isPublic: form.isPublic,
  };
}

const decimals = (hundredths: number) => (hundredths / 100).toFixed(2);

export function formOfPlan({ name, activeEventsMax, terms, isPublic }: OperatorPlan): PlanForm {
  return {
    name,
    activeEventsMax: String(activeEventsMax),
    processing: decimals(terms.processingCents),
    standardPercent: decimals(terms.standard.basisPoints),
    standardFlat: decimals(terms.standard.flatCents),
    largeFrom: String(terms.largeFrom),
    largePercent: decimals(terms.large.basisPoints),
    largeFlat: decimals(terms.large.flatCents),
    isPublic,
  };
}
