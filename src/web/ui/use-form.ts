import { type SubmitEvent, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import { messageFrom } from '#web/api.ts';
import { valuesOf } from './form-values.ts';
import { toast } from './toast.ts';

/** A broken rule that no schema can know (today's date, another field's fate), with its field if it has one. */
export type Problem = string | { field: string; msg: string };

export interface FormState {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void;
  submitting: boolean;
  /** The first broken rule of each field, by dotted name. */
  errors: { [field: string]: string };
  clearError: (field: string) => void;
}

interface Options<Values> {
  /** Asked once the schema accepts the values. */
  problems?: (values: Values) => Problem[];
  /** Shown when `send` fails without a sentence from the server. Without it, `send` must catch for itself. */
  fallback?: string;
}

/** Submits a form only once its contract schema accepts it; each broken rule is its own toast and stands at its field. */
export function useForm<Schema extends z.ZodMiniType>(
  schema: Schema,
  send: (values: z.infer<Schema>, form: HTMLFormElement) => Promise<void> | void,
  { problems, fallback }: Options<z.infer<Schema>> = {},
): FormState {
  const [submitting, setSubmitting] = useState(false);
  const [errors, setErrors] = useState<FormState['errors']>({});
  // A double click arrives before the state that `submitting` is drawn from.
  const isSending = useRef(false);

  async function submit(form: HTMLFormElement) {
    const parsed = schema.safeParse(valuesOf(form));
    const broken = parsed.success
      ? (problems?.(parsed.data) ?? []).map((problem) =>
          typeof problem === 'string' ? { field: '', msg: problem } : problem,
        )
      : parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), msg: issue.message }));
    setErrors(firstByField(broken));
    for (const { msg } of broken) toast.error(msg);
    if (broken.length > 0) focusFirst(form, new Set(broken.map(({ field }) => field)));
    if (broken.length > 0 || !parsed.success) return;

    toast.clearErrors();
    isSending.current = true;
    setSubmitting(true);
    try {
      await send(parsed.data, form);
    } catch (error) {
      if (fallback === undefined) throw error;
      toast.error(messageFrom(error, fallback));
    } finally {
      isSending.current = false;
      setSubmitting(false);
    }
  }

  return {
    submitting,
    errors,
    clearError: (field) => setErrors(({ [field]: _, ...others }) => others),
    onSubmit: (event) => {
      // React carries the submit of a form in a dialog up to the form that opened the dialog.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (!isSending.current) void submit(event.currentTarget);
    },
  };
}

function firstByField(broken: { field: string; msg: string }[]): FormState['errors'] {
  return Object.fromEntries(
    broken
      .filter(({ field }) => field)
      .reverse()
      .map(({ field, msg }) => [field, msg]),
  );
}

/** The first in the order of the page, which is the order of reading. */
function focusFirst(form: HTMLFormElement, fields: Set<string>): void {
  const controls = [...form.querySelectorAll<HTMLElement>('input[name], select[name], textarea[name]')];
  const first = controls.find((control) => fields.has(control.getAttribute('name') ?? ''));
  first?.focus();
}
