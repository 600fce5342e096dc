import { useId } from 'react';
import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import type { PromoKind } from '#domain/sales/promo-codes.ts';
import { promoSettings as text } from '#messages/sales/promo-codes.ts';
import { CheckboxField } from '#web/ui/form/fields.tsx';
import styles from '../cards.module.css';
import { hasLostTypes, isUsed, offeredTypes } from './promo-form.ts';

interface PromoTypeFieldsProps {
  kind: PromoKind;
  stored: OwnPromoCode | undefined;
  types: readonly OwnTicketType[];
}

export function PromoTypeFields({ kind, stored, types }: PromoTypeFieldsProps) {
  const hintId = useId();
  const offered = offeredTypes(kind, { stored, types });
  return (
    <fieldset className={styles.types} aria-describedby={hintId}>
      <legend>{text.types}</legend>
      <p id={hintId} className={styles.hint}>
        {hintOf({ kind, stored, types }, offered)}
      </p>
      {offered.map(({ ticketId, ticketName }) => (
        <CheckboxField
          key={ticketId}
          label={ticketName}
          name={`types.${ticketId}`}
          defaultChecked={stored?.ticketIds?.includes(ticketId) ?? false}
          disabled={isUsed(stored)}
        />
      ))}
    </fieldset>
  );
}

function hintOf({ kind, stored, types }: PromoTypeFieldsProps, offered: readonly OwnTicketType[]): string {
  if (isUsed(stored)) return stored?.ticketIds ? text.kept : `${text.allTypes(kind)}. ${text.kept}`;
  if (hasLostTypes(kind, { stored, types })) return text.typesGone;
  return offered.length === 0 ? text.noTypes(kind) : text.typesHint(kind);
}
