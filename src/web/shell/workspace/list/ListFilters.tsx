import { useEffect, useState } from 'react';
import { TextField } from '#web/ui/form/fields.tsx';
import styles from './ListFilters.module.css';

interface SearchFieldProps {
  label: string;
  hint: string;
  q: string;
  onChange: (change: { q: string }) => void;
}

const PAUSE_MS = 250;

/** Searches once the typing pauses. */
export function SearchField({ label, hint, q, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(q);
  const [sent, setSent] = useState(q);
  const [last, setLast] = useState(q);
  // The filters were cleared elsewhere, or the address changed. What was typed since the last search stays.
  if (last !== q) {
    setLast(q);
    if (q !== sent) {
      setTyped(q);
      setSent(q);
    }
  }
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      onChange({ q: typed.trim() });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, q, onChange]);

  return (
    <TextField
      label={label}
      name="q"
      type="search"
      maxLength={100}
      className={styles.search}
      placeholder={hint}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      onChange={(change) => setTyped(change.target.value)}
    />
  );
}

interface StateChipsProps<State> {
  legend: string;
  /** Undefined: all. */
  chosen: State | undefined;
  states: readonly { state: State | undefined; label: string }[];
  onChange: (state: State | undefined) => void;
}

/** One of the states, or all. */
export function StateChips<State extends string>({ legend, chosen, states, onChange }: StateChipsProps<State>) {
  return (
    <fieldset className={styles.chips}>
      <legend className={styles.legend}>{legend}</legend>
      {states.map(({ state, label }) => (
        <button
          key={state ?? ''}
          type="button"
          className={styles.chip}
          aria-pressed={state === chosen}
          onClick={() => onChange(state)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
