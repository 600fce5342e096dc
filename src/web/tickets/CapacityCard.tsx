import { useId } from 'react';
import type { EventTickets } from '#contract/app/events.ts';
import { CAPACITY_NAME_MAX } from '#domain/limits.ts';
import { ticketSettings as text } from '#messages/sales/ticket-settings.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import styles from './tickets.module.css';
import { useFocusIfNew } from './use-focus-if-new.ts';

interface CapacityCardProps {
  row: number;
  /** Undefined for a new one. */
  capacity?: EventTickets['sharedCapacities'][number] | undefined;
  /** Of all rows of the form: what they are called now, and the units that are stored. */
  types: readonly { key: string; name: string; units: number | null }[];
  onRemove: () => void;
}

export function CapacityCard({ row, capacity, types, onRemove }: CapacityCardProps) {
  const headingId = useId();
  const nameField = useFocusIfNew(!capacity);
  const name = (field: string) => `sharedCapacities.${row}.${field}`;
  return (
    <li className={styles.type}>
      <div role="group" aria-labelledby={headingId} className={styles.fields}>
        {/* Ties the row to its capacity, even if it is renamed. */}
        {capacity && <input type="hidden" name={name('capacityId')} value={capacity.capacityId} />}
        <div className={styles.typeHead}>
          <h3 id={headingId}>{text.capacity(row + 1)}</h3>
          <Button kind="ghost" onClick={onRemove} aria-label={text.removeCapacity(row + 1)}>
            {text.remove}
          </Button>
        </div>
        <div className={styles.pair}>
          <TextField
            label={text.capacityName}
            name={name('name')}
            required
            counterMax={CAPACITY_NAME_MAX}
            defaultValue={capacity?.name}
            ref={nameField}
            autoComplete="off"
          />
          <TextField
            label={text.seats}
            name={name('capacity')}
            required
            inputMode="numeric"
            defaultValue={capacity?.capacity}
            autoComplete="off"
          />
        </div>
        {capacity && capacity.reserved > 0 && (
          <p className={styles.taken}>
            <meter max={capacity.capacity} value={capacity.reserved} aria-hidden="true" />
            {text.taken(capacity.reserved, capacity.capacity)}
          </p>
        )}
        <div className={styles.units}>
          {types.map(({ key, name: typeName, units }, type) => (
            <TextField
              key={key}
              label={text.seatsPer(typeName.trim() || text.ticket(type + 1))}
              name={name(`units.${type}`)}
              inputMode="numeric"
              hint={text.seatsPerHint}
              defaultValue={units ?? ''}
              autoComplete="off"
            />
          ))}
        </div>
      </div>
    </li>
  );
}
