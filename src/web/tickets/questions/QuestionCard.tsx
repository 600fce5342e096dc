import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnQuestion } from '#contract/app/sales/guest-forms.ts';
import { questionSettings as text } from '#messages/sales/questions.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import styles from '../cards.module.css';
import shared from '../tickets.module.css';

interface QuestionCardProps {
  question: OwnQuestion;
  types: readonly OwnTicketType[];
  /** Null if nothing about it can change. */
  actions: {
    onEdit: () => void;
    onRemove: () => void;
    onUp: (() => void) | null;
    onDown: (() => void) | null;
  } | null;
}

export function QuestionCard({ question, types, actions }: QuestionCardProps) {
  const { label, kind, help, options, isRequired, scope, ticketIds, deleteAfterDays, isShownAtDoor } = question;
  const facts = [
    text.kinds[kind],
    scope === 'order' ? text.perOrder : text.perTicket,
    ...(ticketIds ? [text.about(namesOf(ticketIds, types))] : []),
    ...(isShownAtDoor ? [text.shownAtDoor] : []),
  ];
  return (
    <li className={shared.type}>
      <div className={styles.card}>
        <div className={styles.what}>
          <h3>{label}</h3>
          <Chip tone={isRequired ? 'ok' : 'off'}>{isRequired ? text.required : text.optional}</Chip>
        </div>
        <div>
          <p>{facts.join(' · ')}</p>
          {options.length > 0 && <p className={styles.hint}>{options.join(', ')}</p>}
          {help && <p className={styles.hint}>{help}</p>}
          <p className={styles.hint}>{text.deletedAfter(deleteAfterDays)}</p>
        </div>
        {actions && (
          <div className={styles.choices}>
            <Button kind="ghost" aria-label={text.editLabel(label)} onClick={actions.onEdit}>
              {text.edit}
            </Button>
            {actions.onUp && (
              <Button kind="ghost" aria-label={text.upLabel(label)} onClick={actions.onUp}>
                {text.up}
              </Button>
            )}
            {actions.onDown && (
              <Button kind="ghost" aria-label={text.downLabel(label)} onClick={actions.onDown}>
                {text.down}
              </Button>
            )}
            <Button kind="ghost" aria-label={text.removeLabel(label)} onClick={actions.onRemove}>
              {text.remove}
            </Button>
          </div>
        )}
      </div>
    </li>
  );
}

function namesOf(ticketIds: readonly string[], types: readonly OwnTicketType[]): string {
  const chosen = types.filter(({ ticketId }) => ticketIds.includes(ticketId));
  return chosen.map(({ ticketName }) => ticketName).join(', ') || text.goneTypes;
}
