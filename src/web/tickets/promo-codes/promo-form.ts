/** The form of a promo code: its schema, the ticket types that it offers, and what it sends. */
import * as z from 'zod/mini';
import type { OwnTicketType } from '#contract/app/events.ts';
import type { OwnPromoCode } from '#contract/app/sales/promo-codes.ts';
import { because } from '#contract/forms/form-problem.ts';
import { type PromoCodeInput, promoCodeForm, promoTimeProblems } from '#contract/forms/promo-code-form.ts';
import { centsOf } from '#domain/money.ts';
import { canBeFor, type PromoKind } from '#domain/sales/promo-codes.ts';
import { asInstant, meantTime } from '../tickets-form.ts';

const fields = z.safeExtend(promoCodeForm, {
  /** Checkboxes, by the ids of their ticket types. */
  types: z.optional(z.record(z.string(), z.boolean())),
});

type Typed = z.infer<typeof fields>;

interface Edited {
  /** Undefined for a new one. */
  stored: OwnPromoCode | undefined;
  /** Of the event. */
  types: readonly OwnTicketType[];
  timezone: string;
}

/** Also reports times that don't exist in the event's time zone, whatever else is wrong. */
export const promoFormFor = (edited: Edited) =>
  fields.check(
    z.check<Typed>(
      ({ value, issues }) => {
        const meant = { ...value, ...meantTimes(value, edited) };
        for (const { field, reason } of promoTimeProblems(meant, edited.timezone))
          issues.push({ code: 'custom', input: value, path: [field], message: because(reason) });
      },
      { when: () => true },
    ),
  );

/** A code that tickets have keeps its kind, its value and its ticket types. */
export const isUsed = (stored: OwnPromoCode | undefined): boolean => stored !== undefined && stored.uses > 0;

/** Those that a code of this kind can be for, and those that the stored one is for. */
export function offeredTypes(kind: PromoKind, { stored, types }: Pick<Edited, 'stored' | 'types'>): OwnTicketType[] {
  const chosen = stored?.kind === kind ? (stored.ticketIds ?? []) : [];
  const isFitting = ({ ticketPrice, isHidden = false, hasNamedPrice = false }: OwnTicketType) =>
    canBeFor(kind, { priceCents: centsOf(ticketPrice) ?? 0, isHidden, hasNamedPrice });
  return types.filter((type) => isFitting(type) || chosen.includes(type.ticketId));
}

/** Whether a code of this kind is for ticket types that were all removed. */
export function hasLostTypes(kind: PromoKind, { stored, types }: Pick<Edited, 'stored' | 'types'>): boolean {
  const ticketIds = (stored?.kind === kind && stored.ticketIds) || [];
  return ticketIds.length > 0 && !types.some(({ ticketId }) => ticketIds.includes(ticketId));
}

/** Times as instants: another window may change the time zone before these are saved. */
export function promoInput({ types = {}, ...form }: Typed, edited: Edited): PromoCodeInput {
  const { stored, timezone } = edited;
  const { validFrom, validUntil } = meantTimes(form, edited);
  const chosen = Object.keys(types).filter((ticketId) => types[ticketId]);
  // Without any, a code whose types were removed would apply to all others.
  const isKept = isUsed(stored) || (chosen.length === 0 && hasLostTypes(form.kind, edited));
  return {
    ...form,
    ticketIds: isKept ? [...(stored?.ticketIds ?? [])] : chosen,
    validFrom: asInstant(validFrom, timezone, 'earlier'),
    validUntil: asInstant(validUntil, timezone, 'later'),
  };
}

const meantTimes = ({ validFrom = '', validUntil = '' }: PromoCodeInput, { stored, timezone }: Edited) => ({
  validFrom: meantTime(validFrom, stored?.validFrom, timezone),
  validUntil: meantTime(validUntil, stored?.validUntil, timezone),
});
