import { useState } from 'react';
import type { OwnTicketType } from '#contract/app/events.ts';
import { addPromoCode, editPromoCode, type OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { PROMO_CODE_MAX } from '#domain/limits.ts';
import { PROMO_KINDS, type PromoKind } from '#domain/sales/promo-codes.ts';
import { promoSettings as text } from '#messages/sales/promo-codes.ts';
import { ticketSettings } from '#messages/sales/ticket-settings.ts';
import { call, codeFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { SelectField, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from '../cards.module.css';
import shared from '../tickets.module.css';
import { shownTime, typedPrice, zoneName } from '../tickets-form.ts';
import { PromoTypeFields } from './PromoTypeFields.tsx';
import { isUsed, promoFormFor, promoInput } from './promo-form.ts';

interface PromoCodeDialogProps {
  eventId: string;
  /** Undefined for a new one. */
  stored?: OwnPromoCode | undefined;
  types: readonly OwnTicketType[];
  timezone: string;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

export function PromoCodeDialog({ eventId, stored, types, timezone, onSaved, onClose }: PromoCodeDialogProps) {
  const [kind, setKind] = useState<PromoKind>(stored?.kind ?? 'percent');
  const edited = { stored, types, timezone };
  const form = useForm(
    promoFormFor(edited),
    async (values) => {
      const input = { ...promoInput(values, edited), eventId };
      const saved = stored
        ? call(editPromoCode, { ...input, promoCodeId: stored.promoCodeId })
        : call(addPromoCode, input);
      toast.success((await saved.catch(reloadIfUsed)).msg);
      await onSaved();
      onClose();
    },
    { fallback: text.notSaved, rejectedField: (error) => REJECTED[codeFrom(error) ?? ''] },
  );

  /** Tickets were sold with it meanwhile: the list shows that once the dialog is closed. */
  async function reloadIfUsed(error: unknown): Promise<never> {
    if (codeFrom(error) === 'promo.already-used') await onSaved();
    throw error;
  }

  return (
    <Dialog title={stored ? text.editTitle(stored.code) : text.addTitle} open onClose={onClose}>
      <Form form={form}>
        <TextField
          label={text.code}
          name="code"
          required
          hint={text.codeHint}
          counterMax={PROMO_CODE_MAX}
          defaultValue={stored?.code}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <WhatItDoes kind={kind} stored={stored} onKind={setKind} />
        <PromoTypeFields kind={kind} stored={stored} types={types} />
        <div className={shared.pair}>
          <TextField
            label={text.maxUses}
            name="maxUses"
            inputMode="numeric"
            hint={text.maxUsesHint}
            defaultValue={stored?.maxUses ?? ''}
            autoComplete="off"
          />
          <TextField
            label={text.maxPerOrder}
            name="maxPerOrder"
            inputMode="numeric"
            hint={text.maxPerOrderHint}
            defaultValue={stored?.maxPerOrder ?? ''}
            autoComplete="off"
          />
        </div>
        <TextField
          label={text.validFrom}
          name="validFrom"
          type="datetime-local"
          hint={text.validFromHint}
          defaultValue={shownTime(stored?.validFrom, timezone)}
        />
        <TextField
          label={text.validUntil}
          name="validUntil"
          type="datetime-local"
          hint={text.validUntilHint}
          defaultValue={shownTime(stored?.validUntil, timezone)}
        />
        <p className={shared.zone}>{ticketSettings.zone(zoneName(timezone))}</p>
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

/** The fields that the server's denials are about. */
const REJECTED: { [code: string]: string } = {
  'promo.code-taken': 'code',
  'promo.amount-too-high': 'value',
  'promo.below-uses': 'maxUses',
};

interface WhatItDoesProps {
  kind: PromoKind;
  stored: OwnPromoCode | undefined;
  onKind: (kind: PromoKind) => void;
}

function WhatItDoes({ kind, stored, onKind }: WhatItDoesProps) {
  const isKept = isUsed(stored);
  return (
    <>
      {/* A disabled field isn't sent. */}
      {isKept && <input type="hidden" name="kind" value={kind} />}
      <SelectField
        label={text.kind}
        name="kind"
        disabled={isKept}
        hint={isKept ? text.kept : undefined}
        value={kind}
        onChange={({ target }) => onKind(PROMO_KINDS.find((one) => one === target.value) ?? kind)}
        options={PROMO_KINDS.map((value) => ({ value, label: text.kinds[value] }))}
      />
      {kind !== 'unlock' && (
        <TextField
          label={text.value[kind]}
          name="value"
          required
          inputMode={kind === 'percent' ? 'numeric' : 'decimal'}
          readOnly={isKept}
          hint={isKept ? text.kept : text.valueHint[kind]}
          defaultValue={stored && stored.kind !== 'unlock' ? typedPrice(stored.value) : ''}
          autoComplete="off"
        />
      )}
    </>
  );
}
