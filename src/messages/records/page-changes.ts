/** What of an event's page has changed: for a buyer whose page is outdated, and on the page of all changes. */
import type { Moment, PageChange } from '#domain/sales/page-versions.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { addressLine, formatCents } from '../format.ts';

export const pageChanges = {
  title: (event: string) => `Changes: ${event}`,
  heading: 'Changes',
  description: 'What has changed about this event since it was published.',
  about: (event: string) => `What has changed about ${event} since it was published. Times are in its time zone.`,
  none: 'Nothing has changed since this event was published.',
  older: (count: number) => `Only the newest ${count} are listed.`,
  before: 'Before',
  after: 'Now',
  backToEvent: 'Back to the event',
  changedOn: (when: string) => `Changed on ${when}`,
  label: ({ what, name = '' }: { what: PageChange['what']; name?: string | undefined }) =>
    what === 'price' ? `Price of ${name}` : labels[what],
};

const labels = {
  date: 'Date',
  end: 'End',
  venue: 'Venue',
  'refund-policy': 'Refund policy',
};

/** `The date has changed: Friday, May 1, 8:00 PM → Saturday, May 2, 8:00 PM.` */
export function changeSentence(change: PageChange): string {
  const { before, after, name } = changeTexts(change);
  const subject =
    change.what === 'price' ? `price of ${name}` : change.what === 'end' ? 'end' : labels[change.what].toLowerCase();
  return `The ${subject} has changed: ${before} → ${after}.`;
}

export function changeTexts(change: PageChange): { before: string; after: string; name?: string } {
  switch (change.what) {
    case 'date':
    case 'end':
      return timeTexts(change);
    case 'venue':
      return { before: addressLine(change.before), after: addressLine(change.after) };
    case 'refund-policy':
      return { before: policyText(change.before), after: policyText(change.after) };
    case 'price':
      return { before: priceText(change.before), after: priceText(change.after), name: change.name };
  }
}

/** With year or zone only where they differ. */
function timeTexts({ before, after }: { before: Moment; after: Moment }): { before: string; after: string } {
  const zone = before.timezone === after.timezone ? {} : ({ timeZoneName: 'short' } as const);
  const yearOf = ({ at, timezone }: Moment) => partOf(at, timezone, { year: 'numeric' });
  const year = yearOf(before) === yearOf(after) ? {} : ({ year: 'numeric' } as const);
  const text = ({ at, timezone }: Moment) =>
    [
      partOf(at, timezone, { weekday: 'long', month: 'long', day: 'numeric', ...year }),
      partOf(at, timezone, { hour: 'numeric', minute: '2-digit', ...zone }),
    ].join(', ');
  return { before: text(before), after: text(after) };
}

const partOf = (at: string, timeZone: string, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, ...parts }).format(new Date(at)).replace(/\u202f/g, ' ');

/** There is one policy so far. */
const policyText = (_policy: string): string => `until ${SETTLEMENT_HOLD_HOURS} hours after the event ends`;

const priceText = ({ priceCents, hasNamedPrice }: { priceCents: number; hasNamedPrice: boolean }): string => {
  const price = priceCents === 0 ? 'Free' : formatCents(priceCents);
  return hasNamedPrice ? `${price} or more` : price;
};

/** For a buyer whose page shows something else than what they would buy. */
export const eventChanged = {
  title: 'This event has changed',
  text: 'Nothing is reserved yet. Go on only if this works for you.',
  goOn: 'Go on with the changes',
};
