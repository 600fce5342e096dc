import { type KeyboardEvent, useRef } from 'react';
import { characterCount, DESCRIPTION_MAX } from '#domain/limits.ts';
import { descriptionField as text } from '#messages/sales/page-settings.ts';
import field from '#web/ui/form/Field.module.css';
import { Field } from '#web/ui/form/Field.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import styles from './DescriptionField.module.css';
import { type Mark, markText } from './text-marks.ts';
import type { EventDraft } from './use-event-draft.ts';

const BUTTONS: readonly { mark: Mark; label: string; keys?: string }[] = [
  { mark: 'bold', label: text.bold, keys: 'Control+B' },
  { mark: 'link', label: text.link },
  { mark: 'list', label: text.list },
];

/** With Ctrl or ⌘. */
const KEYS: Partial<Record<string, Mark>> = { b: 'bold', i: 'italics' };

/** A description with buttons for its marks. */
export function DescriptionField({ event }: { event: EventDraft }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { name, value, onChange } = event.field('description');

  function put(mark: Mark) {
    const { current } = area;
    if (!current) return;
    const selection = { start: current.selectionStart, end: current.selectionEnd };
    const { from, to, text: marked, start, end } = markText(current.value, selection, mark, text.samples);
    current.focus();
    current.setRangeText(marked, from, to);
    current.dispatchEvent(new Event('input', { bubbles: true }));
    current.setSelectionRange(start, end);
  }

  function press(key: KeyboardEvent) {
    const mark = KEYS[key.key.toLowerCase()];
    if (!mark || !(key.ctrlKey || key.metaKey) || key.shiftKey || key.altKey) return;
    key.preventDefault();
    put(mark);
  }

  return (
    <Field
      label={text.label}
      name={name}
      hint={text.hint}
      required
      count={characterCount(value.trim())}
      counterMax={DESCRIPTION_MAX}
    >
      {(control) => (
        <div className={styles.marked}>
          <div role="group" aria-label={text.marks} className={styles.buttons}>
            {BUTTONS.map(({ mark, label, keys }) => (
              <button
                key={mark}
                type="button"
                className={classNames(styles.button, styles[mark])}
                aria-controls={control.id}
                aria-keyshortcuts={keys}
                onClick={() => put(mark)}
              >
                {label}
              </button>
            ))}
          </div>
          <textarea
            rows={5}
            {...control}
            ref={area}
            value={value}
            className={classNames(field.control, field.area, styles.area)}
            onChange={onChange}
            onKeyDown={press}
          />
        </div>
      )}
    </Field>
  );
}
