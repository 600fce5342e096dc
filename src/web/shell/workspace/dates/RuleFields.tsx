import { useId, useState } from 'react';
import type { Weekday, WeekOfMonth } from '#domain/series/recurrence.ts';
import { addDatesText as text } from '#messages/series/add-dates.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import styles from './add-dates.module.css';
import type { DatesChoice } from './chosen-dates.ts';

interface RuleFieldsProps {
  choice: DatesChoice;
  onChange: (part: Partial<DatesChoice>) => void;
}

const KINDS = ['weekly', 'monthly', 'picked'] as const;
const WEEKDAYS: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

export function RuleFields({ choice, onChange }: RuleFieldsProps) {
  return (
    <>
      <Buttons
        label={text.kind}
        options={KINDS.map((kind) => ({ key: kind, label: text.kinds[kind], isOn: choice.kind === kind }))}
        onPress={(kind) => onChange({ kind, changes: {} })}
      />
      {choice.kind === 'picked' ? (
        <PickedDays choice={choice} onChange={onChange} />
      ) : (
        <>
          {choice.kind === 'weekly' ? (
            <Weekly choice={choice} onChange={onChange} />
          ) : (
            <Monthly choice={choice} onChange={onChange} />
          )}
          <div className={styles.pair}>
            <TextField
              label={text.first}
              name="first"
              type="date"
              value={choice.first}
              onChange={({ target }) => onChange({ first: target.value, changes: {} })}
            />
            <SelectField
              label={text.ends}
              name="ends"
              value={choice.ends}
              onChange={({ target }) => onChange({ ends: target.value === 'until' ? 'until' : 'count' })}
              options={(['count', 'until'] as const).map((value) => ({ value, label: text.endKinds[value] }))}
            />
            {choice.ends === 'count' ? (
              <TextField
                label={text.count}
                name="count"
                inputMode="numeric"
                autoComplete="off"
                value={choice.count}
                onChange={({ target }) => onChange({ count: target.value })}
              />
            ) : (
              <TextField
                label={text.until}
                name="until"
                type="date"
                value={choice.until}
                onChange={({ target }) => onChange({ until: target.value })}
              />
            )}
          </div>
        </>
      )}
    </>
  );
}

function Weekly({ choice, onChange }: RuleFieldsProps) {
  const toggled = (day: Weekday) =>
    choice.weekdays.includes(day) ? choice.weekdays.filter((one) => one !== day) : [...choice.weekdays, day];
  return (
    <div className={styles.rule}>
      <Buttons
        label={text.weekdays}
        options={WEEKDAYS.map((day) => ({
          key: day,
          label: text.weekdayNames[day].slice(0, 3),
          isOn: choice.weekdays.includes(day),
        }))}
        onPress={(day) => onChange({ weekdays: toggled(day), changes: {} })}
      />
      <SelectField
        label={text.repeat}
        name="repeat"
        value={choice.everyWeeks}
        onChange={({ target }) => onChange({ everyWeeks: target.value, changes: {} })}
        options={text.repeats}
      />
    </div>
  );
}

function Monthly({ choice, onChange }: RuleFieldsProps) {
  const weekOf = (typed: string): WeekOfMonth =>
    ([1, 2, 3, 4, 5] as const).find((week) => String(week) === typed) ?? 'last';
  return (
    <div className={styles.pair}>
      <SelectField
        label={text.week}
        name="week"
        value={String(choice.week)}
        onChange={({ target }) => onChange({ week: weekOf(target.value), changes: {} })}
        options={text.weekNames}
      />
      <SelectField
        label={text.weekday}
        name="weekday"
        value={String(choice.weekday)}
        onChange={({ target }) =>
          onChange({ weekday: WEEKDAYS.find((day) => String(day) === target.value) ?? choice.weekday, changes: {} })
        }
        options={WEEKDAYS.map((day) => ({ value: String(day), label: text.weekdayNames[day] }))}
      />
    </div>
  );
}

function PickedDays({ choice, onChange }: RuleFieldsProps) {
  const [day, setDay] = useState(choice.first);
  const isNew = day !== '' && !(choice.picked.includes(day) && choice.changes[day] !== null);
  const { [day]: _dropped, ...changes } = choice.changes;
  const pick = () => isNew && onChange({ picked: [...new Set([...choice.picked, day])], changes });
  return (
    <div className={styles.pick}>
      <TextField
        label={text.day}
        name="day"
        type="date"
        value={day}
        onChange={({ target }) => setDay(target.value)}
        // Enter would add all dates.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          pick();
        }}
      />
      <Button kind="ghost" aria-disabled={!isNew || undefined} onClick={pick}>
        {text.pick}
      </Button>
    </div>
  );
}

interface ButtonsProps<Key extends string | number> {
  label: string;
  options: readonly { key: Key; label: string; isOn: boolean }[];
  onPress: (key: Key) => void;
}

function Buttons<Key extends string | number>({ label, options, onPress }: ButtonsProps<Key>) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={styles.group}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <div className={styles.buttons}>
        {options.map(({ key, label: shown, isOn }) => (
          <button key={key} type="button" className={styles.option} aria-pressed={isOn} onClick={() => onPress(key)}>
            {shown}
          </button>
        ))}
      </div>
    </div>
  );
}
