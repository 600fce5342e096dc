import { useId } from 'react';
import type { ShownQuestion } from '#contract/app/sales/checkout-page.ts';
import { ANSWER_MAX } from '#domain/sales/guest-form.ts';
import { detailsPage as text } from '#messages/sales/details.ts';
import { FieldError } from '#web/ui/form/Field.tsx';
import { useFieldError } from '#web/ui/form/Form.tsx';
import { CheckboxField, SelectField, TextArea, TextField } from '#web/ui/form/fields.tsx';
import styles from './checkout-page.module.css';

interface QuestionFieldProps {
  name: string;
  question: ShownQuestion;
}

export function QuestionField({ name, question }: QuestionFieldProps) {
  const { kind, label, options, isRequired } = question;
  const field = { name, label, hint: hintOf(question), required: isRequired };
  switch (kind) {
    case 'short-text':
      return <TextField {...field} counterMax={ANSWER_MAX} />;
    case 'long-text':
    case 'access':
      return <TextArea {...field} counterMax={ANSWER_MAX} />;
    case 'date':
      return <TextField {...field} type="date" className={styles.short} />;
    case 'any-of':
      return <AnyOf {...{ name, question }} />;
    case 'one-of':
    case 'yes-no':
      return (
        <SelectField
          {...field}
          options={(kind === 'one-of' ? options : text.yesNo).map((value) => ({ value, label: value }))}
        >
          <option value="">{isRequired ? text.choose : text.none}</option>
        </SelectField>
      );
  }
}

const hintOf = ({ help, isRequired }: ShownQuestion): string | undefined =>
  [help, isRequired ? '' : text.optional].filter(Boolean).join(' ') || undefined;

function AnyOf({ name, question }: QuestionFieldProps) {
  const id = useId();
  const error = useFieldError(name);
  const hint = hintOf(question);
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    // Its name and tab index let an error move the focus here.
    <fieldset className={styles.anyOf} name={name} tabIndex={-1} aria-describedby={describedBy || undefined}>
      <legend>{question.label}</legend>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {question.options.map((option, index) => (
        <CheckboxField key={option} label={option} name={`${name}.${index}`} />
      ))}
      {error && <FieldError id={`${id}-error`} msg={error} />}
    </fieldset>
  );
}
