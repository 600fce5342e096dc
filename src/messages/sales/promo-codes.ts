/** The *Promo codes* of an event's *Tickets* screen, as organizers set them up. */
import { PROMO_CODE_MAX, PROMO_CODE_MIN } from '#domain/limits.ts';
import type { PromoKind } from '#domain/sales/promo-codes.ts';
import { formatCount, plural, TICKETS } from '../format.ts';

const kinds: Record<PromoKind, string> = {
  percent: 'Percent off',
  amount: 'Amount off',
  fixed: 'Fixed price',
  unlock: 'Unlock hidden tickets',
};

export const promoSettings = {
  title: 'Promo codes',
  empty: 'Add your first code: EARLYBIRD, 20% off, first 30 tickets.',
  none: 'This event has no promo codes.',
  notLoaded: "We couldn't load the promo codes.",
  notSaved: "We couldn't save the promo code.",
  add: 'Add promo code',
  edit: 'Edit',
  editLabel: (code: string) => `Edit ${code}`,
  end: 'End code',
  endLabel: (code: string) => `End code ${code}`,
  ended: 'Ended',
  expired: 'Expired',

  appliesTo: 'Applies to',
  allTypes: (kind: PromoKind) => (kind === 'unlock' ? 'All hidden tickets' : 'All visible tickets with a fixed price'),
  goneTypes: 'Ticket types that were removed',
  used: 'Used',
  perOrder: 'Per order',
  atMost: (max: number) => `At most ${plural(max, TICKETS)}`,
  valid: 'Valid',
  discountGiven: 'Discount given',
  link: 'Link for buyers',
  copyLink: (code: string) => `Copy the link with ${code}`,

  addTitle: 'Add a promo code',
  editTitle: (code: string) => `Edit ${code}`,
  code: 'Code',
  codeHint: `${PROMO_CODE_MIN} to ${PROMO_CODE_MAX} letters, digits or hyphens. Upper and lower case are the same.`,
  kind: 'Kind',
  kinds,
  value: { percent: 'Percent off', amount: 'Amount off', fixed: 'Price' },
  valueHint: {
    percent: 'From 1 to 100. Tickets at 100% off are free.',
    amount: 'In dollars, for each ticket.',
    fixed: 'In dollars, for each ticket. It never raises a price.',
  },
  types: 'Ticket types',
  typesHint: (kind: PromoKind) =>
    kind === 'unlock'
      ? 'Check none to unlock all hidden ticket types.'
      : 'Check none for all visible tickets with a fixed price.',
  typesGone: 'The ticket types of this code were removed. Check others, or end the code.',
  noTypes: (kind: PromoKind) =>
    kind === 'unlock'
      ? 'No ticket type is hidden. Hide one and save the tickets first.'
      : 'Each ticket type is free or hidden, or its buyers name the price. There is no price to lower.',
  kept: "Tickets have this code already, so this can't change.",
  maxUses: 'Tickets in total',
  maxUsesHint: 'Over all orders. Leave blank for no limit.',
  maxPerOrder: 'Tickets per order',
  maxPerOrderHint: 'Leave blank for no limit.',
  validFrom: 'Valid from',
  validFromHint: 'Leave blank to start right away.',
  validUntil: 'Valid until',
  validUntilHint: 'Leave blank to end with sales.',
  save: 'Save code',
  cancel: 'Cancel',

  endTitle: (code: string) => `End ${code}?`,
  endWhy:
    "Buyers can't use the code anymore. Tickets that have it keep their price, and open checkouts can still be paid. You can't undo this.",
  keep: 'Keep code',
};

/** `3 of 30 tickets` */
export const promoUses = ({ uses, maxUses }: { uses: number; maxUses: number | null }): string =>
  maxUses === null ? plural(uses, TICKETS) : `${formatCount(uses)} of ${plural(maxUses, TICKETS)}`;

/** When a code works; null without a limit. The times are in the event's time zone. */
export function promoWindow({ from, until }: { from: string | null; until: string | null }): string | null {
  if (from !== null) return until === null ? `From ${from}` : `From ${from} until ${until}`;
  return until === null ? null : `Until ${until}`;
}
