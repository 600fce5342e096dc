/** What the page of an event shows, and how one version of it differs from another. */
import { type DateAndVenue, isMoved } from '#domain/event-schedule.ts';

/** The policy of every event: until 24 hours after its end. */
export const REFUND_POLICY = '24-hours-after-end';

type WrittenTimes = Record<'startsAt' | 'endsAt', string>;

/** As stored: times in UTC, keys in any order. Without what only a promo code shows. */
export interface PageContent extends Omit<DateAndVenue, keyof WrittenTimes>, WrittenTimes {
  title: string;
  subtitle: string | null;
  description: string;
  refundPolicy: string;
  tickets: readonly {
    id: string;
    name: string;
    description: string;
    priceCents: number;
    hasNamedPrice: boolean;
    isAddOn: boolean;
  }[];
}

export interface Moment {
  at: string;
  timezone: string;
}
type Price = { priceCents: number; hasNamedPrice: boolean };

interface TimeChange {
  what: 'date' | 'end';
  before: Moment;
  after: Moment;
}

export type MaterialChange =
  | TimeChange
  | { what: 'venue'; before: PageContent; after: PageContent }
  | { what: 'refund-policy'; before: string; after: string };

export type PageChange = MaterialChange | { what: 'price'; name: string; before: Price; after: Price };

/** What a buyer must know before an order: date, venue and refund policy. Prices have a check of their own. */
export function materialChanges(before: PageContent, after: PageContent): MaterialChange[] {
  return [...dateChanges(before, after), ...venueChange(before, after), ...policyChange(before, after)];
}

/** With the prices of the given ticket types. */
export function pageChanges(before: PageContent, after: PageContent, repriced: readonly string[]): PageChange[] {
  const prices = repricedTypes(before, after)
    .filter(([, { id }]) => repriced.includes(id))
    .map(([was, is]): PageChange => ({ what: 'price', name: is.name, before: was, after: is }));
  return [...materialChanges(before, after), ...prices];
}

/** Each type whose price differs, before and after. */
export function repricedTypes(before: PageContent, after: PageContent) {
  return after.tickets.flatMap((is) => {
    const was = before.tickets.find(({ id }) => id === is.id);
    const isSame = was?.priceCents === is.priceCents && was.hasNamedPrice === is.hasNamedPrice;
    return was && !isSame ? [[was, is] as const] : [];
  });
}

/** Another end is a change of its own only if the event takes another time. */
function dateChanges(before: PageContent, after: PageContent): TimeChange[] {
  const hasNewZone = before.timezone !== after.timezone;
  const lengthOf = ({ startsAt, endsAt }: WrittenTimes) => Date.parse(endsAt) - Date.parse(startsAt);
  const pair = (time: keyof WrittenTimes) => ({
    before: { at: before[time], timezone: before.timezone },
    after: { at: after[time], timezone: after.timezone },
  });
  return [
    ...(hasNewZone || before.startsAt !== after.startsAt ? [{ what: 'date' as const, ...pair('startsAt') }] : []),
    ...(lengthOf(before) === lengthOf(after) ? [] : [{ what: 'end' as const, ...pair('endsAt') }]),
  ];
}

const venueChange = (before: PageContent, after: PageContent): MaterialChange[] =>
  isMoved(before, after) ? [{ what: 'venue', before, after }] : [];

const policyChange = (before: PageContent, after: PageContent): MaterialChange[] =>
  before.refundPolicy === after.refundPolicy
    ? []
    : [{ what: 'refund-policy', before: before.refundPolicy, after: after.refundPolicy }];
