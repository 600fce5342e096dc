import { useState } from 'react';
import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnQuestion } from '#contract/app/sales/guest-forms.ts';
import type { QuestionInput } from '#contract/forms/guest-form.ts';
import {
  hasOptions,
  isUsuallyShownAtDoor,
  QUESTION_HELP_MAX,
  QUESTION_KINDS,
  QUESTION_LABEL_MAX,
  type QuestionKind,
} from '#domain/sales/guest-form.ts';
import { questionSettings as text } from '#messages/sales/questions.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { CheckboxField, SelectField, TextArea, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from '../cards.module.css';
import { questionDialogForm } from './question-form.ts';

interface QuestionDialogProps {
  /** Undefined for a new one. */
  stored?: OwnQuestion | undefined;
  types: readonly OwnTicketType[];
  onSave: (question: QuestionInput) => Promise<void>;
  onClose: () => void;
}

export function QuestionDialog({ stored, types, onSave, onClose }: QuestionDialogProps) {
  const [kind, setKind] = useState<QuestionKind>(stored?.kind ?? 'short-text');
  const form = useForm(
    questionDialogForm,
    async (question) => {
      await onSave(
        stored ? { ...question, ...keptTypes(question, stored, types), questionId: stored.questionId } : question,
      );
      onClose();
    },
    { fallback: text.notSaved },
  );
  return (
    <Dialog title={stored ? text.editTitle : text.addTitle} open onClose={onClose}>
      <Form form={form}>
        <TextField
          label={text.label}
          name="label"
          required
          counterMax={QUESTION_LABEL_MAX}
          defaultValue={stored?.label}
          autoComplete="off"
          data-autofocus
        />
        <TextField
          label={text.help}
          name="help"
          hint={text.helpHint}
          counterMax={QUESTION_HELP_MAX}
          defaultValue={stored?.help}
          autoComplete="off"
        />
        <SelectField
          label={text.kind}
          name="kind"
          hint={kind === 'access' ? text.accessHint : undefined}
          value={kind}
          onChange={({ target }) => setKind(QUESTION_KINDS.find((one) => one === target.value) ?? kind)}
          options={QUESTION_KINDS.map((value) => ({ value, label: text.kinds[value] }))}
        />
        {hasOptions(kind) && (
          <TextArea
            label={text.options}
            name="options"
            required
            hint={text.optionsHint}
            defaultValue={stored?.options.join('\n')}
          />
        )}
        <CheckboxField label={text.isRequired} name="isRequired" defaultChecked={stored?.isRequired ?? false} />
        {/* Choosing another kind of answer starts over with what is usual for it. */}
        <CheckboxField
          key={String(isUsuallyShownAtDoor(kind))}
          label={text.isShownAtDoor}
          name="isShownAtDoor"
          hint={text.isShownAtDoorHint}
          defaultChecked={stored?.kind === kind ? stored.isShownAtDoor : isUsuallyShownAtDoor(kind)}
        />
        <SelectField
          label={text.scope}
          name="scope"
          defaultValue={stored?.scope ?? 'ticket'}
          options={[
            { value: 'ticket', label: text.perTicket },
            { value: 'order', label: text.perOrder },
          ]}
        />
        {types.length > 1 && <TypeFields stored={stored} types={types} />}
        <TextField
          label={text.deleteAfter}
          name="deleteAfterDays"
          inputMode="numeric"
          hint={text.deleteAfterHint(kind)}
          defaultValue={stored?.deleteAfterDays ?? ''}
          autoComplete="off"
        />
        <div className={styles.choices}>
          <Button type="submit" busy={form.submitting}>
            {text.save}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {text.cancel}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Without a choice, a question about types that were all removed would be asked about all others. */
function keptTypes(
  { ticketIds = [] }: QuestionInput,
  stored: OwnQuestion,
  types: readonly OwnTicketType[],
): Pick<QuestionInput, 'ticketIds'> {
  const isGone = stored.ticketIds?.every((id) => types.every(({ ticketId }) => ticketId !== id)) ?? false;
  return { ticketIds: ticketIds.length === 0 && isGone ? (stored.ticketIds ?? []) : ticketIds };
}

function TypeFields({ stored, types }: Pick<QuestionDialogProps, 'stored' | 'types'>) {
  return (
    <fieldset className={styles.types} aria-describedby="question-types">
      <legend>{text.types}</legend>
      <p id="question-types" className={styles.hint}>
        {text.typesHint}
      </p>
      {types.map(({ ticketId, ticketName }) => (
        <CheckboxField
          key={ticketId}
          label={ticketName}
          name={`types.${ticketId}`}
          defaultChecked={stored?.ticketIds?.includes(ticketId) ?? false}
        />
      ))}
    </fieldset>
  );
}
