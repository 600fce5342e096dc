import { type SubmitEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { fieldsOf, inFieldOrder, valuesOf } from './form-values.ts';

export interface FormState {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  submitting: boolean;
  /** The first broken rule of each field, by dotted name. */
  errors: { [field: string]: string };
  /** Drops the errors of what has been put right since. */
  recheck: (form: HTMLFormElement) => void;
}

interface Options {
  /** Shown when `send` fails without a sentence from the server. Without it, `send` must catch for itself. */
  fallback?: string;
  /** The field that a failed `send` is about. The message stays there until the field changes. */
  refusedField?: string;
}

/** Submits a form only once its contract schema accepts it; each broken rule, from top to bottom, is its own toast and stands at its field. */
export function useForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  send: (values: z.infer<Schema>, form: HTMLFormElement) => Promise<void> | void,
  { fallback, refusedField }: Options = {},
): FormState {
  const [submitting, setSubmitting] = useState(false);
  const [errors, setErrors] = useState<FormState['errors']>({});
  // A double click arrives before the state that `submitting` is drawn from.
  const isSending = useRef(false);

  // The values that `errors` are about, as text.
  const checked = useRef('');

  function judge(form: HTMLFormElement) {
    const values = valuesOf(form);
    checked.current = JSON.stringify(values);
    const parsed = schema.safeParse(values);
    const broken = parsed.success ? [] : brokenRules(parsed.error.issues);
    return { parsed, broken: inFieldOrder(fieldsOf(form), broken) };
  }

  async function submit(form: HTMLFormElement) {
    const { parsed, broken } = judge(form);
    setErrors(firstByField(broken));
    for (const { msg } of broken) toast.error(msg);
    if (!parsed.success) return focusFirst(form, broken);

    toast.clearErrors();
    isSending.current = true;
    setSubmitting(true);
    try {
      await send(parsed.data, form);
    } catch (error) {
      if (fallback === undefined) throw error;
      const msg = messageFrom(error, fallback);
      toast.error(msg);
      if (refusedField === undefined) return;
      const refused = [{ field: refusedField, msg }];
      setErrors(firstByField(refused));
      focusFirst(form, refused);
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
      const stillBroken = firstByField(judge(form).broken);
      setErrors(Object.fromEntries(Object.entries(stillBroken).filter(([field]) => field in errors)));
    },
    onSubmit: (event) => {
      // React carries the submit of a form in a dialog up to the form that opened the dialog.
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

const brokenRules = (issues: z.core.$ZodIssue[]): BrokenRule[] =>
  issues.map(({ path, message }) => ({ field: path.join('.'), msg: message }));

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
  controls.find((control) => control instanceof HTMLElement)?.focus();
}
