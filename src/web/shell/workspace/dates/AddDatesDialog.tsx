import { type SubmitEvent, useRef, useState } from 'react';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { planDates } from '#domain/series/recurrence.ts';
import { outage } from '#messages/pages.ts';
import { addDatesText as text } from '#messages/series/add-dates.ts';
import { datesAdded } from '#messages/series/series.ts';
import { call, messageFrom } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import styles from './add-dates.module.css';
import { chosenDates, type DatesChoice, proposedDates } from './chosen-dates.ts';
import { DatePreview, type PreviewedDate } from './DatePreview.tsx';
import { RuleFields } from './RuleFields.tsx';
import { useDateCheck } from './use-date-check.ts';

interface AddDatesDialogProps {
  event: { eventId: string; title: string; startsAt: string; endsAt: string; timezone: string; isDraft: boolean };
  onAdded: () => Promise<void> | void;
  onClose: () => void;
}

/** Shows every date before any is made. What the browser can't know, such as dates that are there, the server says meanwhile. */
function AddDatesDialog({ event, onAdded, onClose }: AddDatesDialogProps) {
  const [now] = useState(() => new Date());
  const [choice, setChoice] = useState<DatesChoice>(() => proposedDates(event, now));
  const [isAdding, setIsAdding] = useState(false);
  // Pressed again after a lost answer, the button asks for the same dates.
  const requestId = useRef(newUuid());
  const change = (part: Partial<DatesChoice>) => {
    requestId.current = newUuid();
    setChoice((before) => ({ ...before, ...part }));
  };

  const { starts, missing } = chosenDates(choice, event);
  const pattern = { startsAt: new Date(event.startsAt), endsAt: new Date(event.endsAt), timezone: event.timezone };
  const dates = starts.map(({ start }) => start);
  const { denials, failure } = useDateCheck(event.eventId, dates);
  const planned = planDates(dates, pattern, { now, taken: [pattern.startsAt] });
  const rows = starts.flatMap((chosen, index): PreviewedDate[] => {
    const date = planned[index];
    return date ? [{ ...chosen, ...date, denial: date.denial ?? denials.get(date.start) ?? null }] : [];
  });
  const denied = rows.filter(({ denial }) => denial).length;
  const problem = failure ?? (denied > 0 ? text.denied(denied) : rows.length === 0 ? text.none : null);

  async function add(submit: SubmitEvent<HTMLFormElement>) {
    submit.preventDefault();
    if (isAdding) return;
    if (problem) return toast.error(problem);
    setIsAdding(true);
    try {
      await call(addDates, { eventId: event.eventId, dates, requestId: requestId.current });
      toast.success(datesAdded(dates.length));
      await onAdded();
      onClose();
    } catch (error) {
      toast.error(messageFrom(error, outage));
      setIsAdding(false);
    }
  }

  return (
    <Dialog title={text.title} open wide onClose={onClose}>
      <form className={styles.form} onSubmit={add} noValidate>
        <p className={styles.lead}>{text.lead(event.title)}</p>
        <RuleFields choice={choice} onChange={change} />
        <DatePreview
          rows={rows}
          timezone={event.timezone}
          onDrop={(day) => change({ changes: { ...choice.changes, [day]: null } })}
          onRetime={(day, time) => change({ changes: { ...choice.changes, [day]: time } })}
        />
        {missing.length > 0 && choice.kind === 'monthly' && (
          <p className={styles.note}>{text.missing(choice.week, choice.weekday, missing)}</p>
        )}
        <div className={styles.foot}>
          <p role="status" className={styles.total}>
            {failure ?? (rows.length === 0 ? text.none : text.total(rows.length))}
            {rows.length > 0 && !failure && (
              <span className={denied > 0 ? styles.denied : styles.meaning}>
                {denied > 0 ? text.denied(denied) : event.isDraft ? text.drafts : text.published}
              </span>
            )}
          </p>
          <div className={styles.choices}>
            <Button type="submit" kind="gold" busy={isAdding} aria-disabled={problem !== null || undefined}>
              {text.add(rows.length)}
            </Button>
            <Button kind="ghost" onClick={onClose}>
              {text.cancel}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

export { AddDatesDialog as Component };
