import { type SubmitEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { FormProblem } from '#contract/forms/form-problem.ts';
import { formText, incompleteTime, problemOf } from '#messages/forms.ts';
import { messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { fieldsOf, inFieldOrder, valuesOf } from './form-values.ts';

export interface FormState {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  submitting: boolean;
  /** The first error of each field, by dotted name. */
  errors: { [field: string]: string };
  /** Drops the errors of fields that are now valid. */
  recheck: (form: HTMLFormElement) => void;
}

/** With a summary, more than these are summed up. */
const EACH_PROBLEM_MAX = 3;

interface Options {
  /** Message if `send` fails without one from the server. If omitted, `send` must handle its own errors. */
  fallback?: string;
  /** Field that a failed `send` refers to, which may depend on the error. The error stays until the field changes. */
  rejectedField?: string | ((error: unknown) => string | undefined);
  /** The text of a problem, if the form says it in its own words. */
  textOf?: (problem: FormProblem) => string;
  /** Said instead of each problem, if there are many: a form for each of many tickets would cover the screen. */
  summary?: (problems: number) => string;
}

/**
 * Validates against the contract schema before sending. Each problem, from top to bottom, is a toast and an error at
 * its field.
 */
export function useForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  send: (values: z.infer<Schema>, form: HTMLFormElement) => Promise<void> | void,
  { fallback, rejectedField, summary, textOf = formText }: Options = {},
): FormState {
  const [submitting, setSubmitting] = useState(false);
  const [errors, setErrors] = useState<FormState['errors']>({});
  // A double click arrives before `submitting` has rendered.
  const isSending = useRef(false);

  // The values that `errors` refers to, serialized.
  const checked = useRef('');

  function validate(form: HTMLFormElement) {
    const values = valuesOf(form);
    checked.current = JSON.stringify(values);
    const parsed = schema.safeParse(values);
    const incomplete = incompleteFields(form);
    const broken = [...incomplete, ...(parsed.success ? [] : brokenRules(parsed.error.issues, textOf))];
    return { parsed, isComplete: incomplete.length === 0, broken: inFieldOrder(fieldsOf(form), broken) };
  }

  async function submit(form: HTMLFormElement) {
    const { parsed, isComplete, broken } = validate(form);
    setErrors(firstByField(broken));
    const isMuch = summary && broken.length > EACH_PROBLEM_MAX;
    for (const msg of isMuch ? [summary(broken.length)] : broken.map((one) => one.msg)) toast.error(msg);
    if (!parsed.success || !isComplete) return focusFirst(form, broken);

    toast.clearErrors();
    isSending.current = true;
    setSubmitting(true);
    try {
      await send(parsed.data, form);
    } catch (error) {
      if (fallback === undefined) throw error;
      const msg = messageFrom(error, fallback);
      toast.error(msg);
      const field = typeof rejectedField === 'function' ? rejectedField(error) : rejectedField;
      if (field === undefined) return;
      const rejected = [{ field, msg }];
      setErrors(firstByField(rejected));
      focusFirst(form, rejected);
    } finally {
      isSending.current = false;
      setSubmitting(false);
    }
  }

  return {
    submitting,
    errors,
    recheck(form) {
      if (Object.keys(errors).length === 0 || JSON.stringify(valuesOf(form)) === checked.current) return;
      const stillBroken = firstByField(validate(form).broken);
      setErrors(Object.fromEntries(Object.entries(stillBroken).filter(([field]) => field in errors)));
    },
    onSubmit: (event) => {
      // React bubbles a submit from a dialog's form to the form that opened it.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (!isSending.current) void submit(event.currentTarget);
    },
  };
}

interface BrokenRule {
  field: string;
  msg: string;
}

/** The value of a half-typed date or time is empty, which would clear what is stored. */
const incompleteFields = (form: HTMLFormElement): BrokenRule[] =>
  [...form.querySelectorAll<HTMLInputElement>('input[name]')]
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => ({ field: name, msg: incompleteTime }));

const brokenRules = (issues: z.core.$ZodIssue[], textOf: (problem: FormProblem) => string): BrokenRule[] =>
  issues.map(problemOf).map((problem) => ({ field: problem.field, msg: textOf(problem) }));

function firstByField(broken: BrokenRule[]): FormState['errors'] {
  return Object.fromEntries(
    broken
      .filter(({ field }) => field)
      .reverse()
      .map(({ field, msg }) => [field, msg]),
  );
}

function focusFirst(form: HTMLFormElement, broken: BrokenRule[]): void {
  const controls = broken.map(({ field }) => form.elements.namedItem(field));
  const first = controls.find((control) => control instanceof HTMLElement);
  first?.focus();
  // A wrong code is replaced, not corrected.
  if (first instanceof HTMLInputElement && first.autocomplete === 'one-time-code') first.select();
}
