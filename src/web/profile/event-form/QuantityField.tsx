import type { ComponentProps, KeyboardEvent } from 'react';
import { quantityOf } from '#contract/forms/ticket-types.ts';
import { quantitySteps as text } from '#messages/sales/ticket-settings.ts';
import field from '#web/ui/form/Field.module.css';
import { Field, type FieldProps } from '#web/ui/form/Field.tsx';
import { Icon } from '#web/ui/icons/Icon.tsx';
import { classNames } from '#web/ui/styles/class-names.ts';
import srOnly from '#web/ui/styles/text.module.css';
import styles from './QuantityField.module.css';

type Input = Omit<ComponentProps<'input'>, keyof FieldProps | 'id' | 'type' | 'inputMode' | 'value'>;

interface QuantityFieldProps extends FieldProps, Input {
  value: string;
  onStep: (quantity: string) => void;
}

/** A number of tickets: typed, or stepped with the buttons or the arrow keys. */
export function QuantityField({ label, name, hint, required, className, onStep, ...input }: QuantityFieldProps) {
  function step(by: 1 | -1) {
    const next = String((quantityOf(input.value) ?? 0) + by);
    if (quantityOf(next) !== null) onStep(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  }
  // The arrow keys do the same, so the buttons are no stops for Tab.
  const button = (words: string, icon: 'minus' | 'plus', by: 1 | -1) => (
    <button type="button" tabIndex={-1} onClick={() => step(by)}>
      <Icon name={icon} size={18} />
      <span className={srOnly.srOnly}>{words}</span>
    </button>
  );
  return (
    <Field {...{ label, name, hint, required, className }}>
      {(control) => (
        <span className={styles.wrap}>
          {button(text.less, 'minus', -1)}
          <input
            type="text"
            {...input}
            {...control}
            inputMode="numeric"
            className={classNames(field.control, styles.count)}
            onKeyDown={onKeyDown}
          />
          {button(text.more, 'plus', 1)}
        </span>
      )}
    </Field>
  );
}
