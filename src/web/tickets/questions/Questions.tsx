import { useEffect, useRef, useState } from 'react';
import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnQuestion } from '#contract/app/sales/guest-forms.ts';
import { NAME_RULES, QUESTIONS_MAX } from '#domain/sales/guest-form.ts';
import { questionSettings as text } from '#messages/sales/questions.ts';
import { messageFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { ConfirmDialog } from '#web/ui/dialog/ConfirmDialog.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Skeleton } from '#web/ui/feedback/Skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { CheckboxField, SelectField } from '#web/ui/form/fields.tsx';
import styles from '../cards.module.css';
import shared from '../tickets.module.css';
import { QuestionCard } from './QuestionCard.tsx';
import { QuestionDialog } from './QuestionDialog.tsx';
import { moved, withQuestion } from './question-form.ts';
import { asInput, useGuestForm } from './use-guest-form.ts';

type OpenDialog = { is: 'add' } | { is: 'edit' | 'remove'; question: OwnQuestion };

interface QuestionsProps {
  eventId: string;
  /** As they are saved. */
  types: readonly OwnTicketType[];
  mayEdit: boolean;
}

export function Questions({ eventId, types, mayEdit }: QuestionsProps) {
  const { form, failure, reload, save, saveNameSearch } = useGuestForm(eventId);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const hasRemoved = useRef(false);
  // Once the dialog is gone: the button that opened it has gone with its question.
  useEffect(() => {
    if (open || !hasRemoved.current) return;
    hasRemoved.current = false;
    heading.current?.focus();
  }, [open]);
  const questions = form?.questions ?? [];
  const inputs = questions.map(asInput);

  const saveNow = (change: Parameters<typeof save>[0]) => report(save(change), text.notSaved);

  return (
    <section className={shared.section} aria-labelledby="questions">
      <header className={styles.head}>
        <h2 id="questions" ref={heading} tabIndex={-1}>
          {text.title}
        </h2>
        {mayEdit && form && questions.length < QUESTIONS_MAX && (
          <Button kind="ghost" onClick={() => setOpen({ is: 'add' })}>
            {text.add}
          </Button>
        )}
      </header>
      {failure && <NotLoaded {...failure} onRetry={reload} />}
      {!form && !failure && <Skeleton className={styles.loading} />}
      {form && <p className={shared.zone}>{leadOf({ mayEdit, isEmpty: isEmpty(form) })}</p>}
      {form && mayEdit && (
        <SelectField
          label={text.askNames}
          name="asksNames"
          hint={text.askNamesHint}
          className={shared.short}
          value={form.asksNames}
          onChange={({ target }) => {
            const asksNames = NAME_RULES.find((one) => one === target.value);
            if (asksNames) void saveNow({ asksNames });
          }}
          options={NAME_RULES.map((value) => ({ value, label: text.names[value] }))}
        />
      )}
      {form && mayEdit && (
        <CheckboxField
          label={text.nameSearch}
          name="allowsNameSearch"
          hint={text.nameSearchHint}
          checked={form.allowsNameSearch}
          onChange={({ target }) => void report(saveNameSearch(target.checked), text.nameSearchNotSaved)}
        />
      )}
      {questions.length > 0 && (
        <ol className={shared.types}>
          {questions.map((question, index) => (
            <QuestionCard
              key={question.questionId}
              question={question}
              types={types}
              actions={
                mayEdit
                  ? {
                      onEdit: () => setOpen({ is: 'edit', question }),
                      onRemove: () => setOpen({ is: 'remove', question }),
                      onUp: index > 0 ? () => void saveNow({ questions: moved(inputs, index, -1) }) : null,
                      onDown:
                        index < questions.length - 1
                          ? () => void saveNow({ questions: moved(inputs, index, 1) })
                          : null,
                    }
                  : null
              }
            />
          ))}
        </ol>
      )}

      {(open?.is === 'add' || open?.is === 'edit') && (
        <QuestionDialog
          stored={open.is === 'edit' ? open.question : undefined}
          types={types}
          onSave={async (question) => {
            toast.success((await save({ questions: withQuestion(inputs, question) })).msg);
          }}
          onClose={close}
        />
      )}
      {open?.is === 'remove' && (
        <ConfirmDialog
          title={text.removeTitle(open.question.label)}
          why={text.removeWhy}
          confirm={text.remove}
          cancel={text.keep}
          send={() => save({ questions: inputs.filter(({ questionId }) => questionId !== open.question.questionId) })}
          onDone={() => {
            hasRemoved.current = true;
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

const isEmpty = ({ asksNames, questions }: { asksNames: string; questions: readonly unknown[] }): boolean =>
  asksNames === 'off' && questions.length === 0;

function leadOf({ mayEdit, isEmpty: asksNothing }: { mayEdit: boolean; isEmpty: boolean }): string {
  if (!asksNothing) return text.lead;
  return mayEdit ? `${text.empty} ${text.lead}` : text.none;
}

async function report(saving: Promise<{ msg: string }>, fallback: string): Promise<void> {
  try {
    toast.success((await saving).msg);
  } catch (error) {
    toast.error(messageFrom(error, fallback));
  }
}
