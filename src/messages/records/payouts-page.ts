/** The payouts of all events of an organization. */
import type { ListedPayout } from '#contract/app/records/workspace.ts';

type State = ListedPayout['state'];

export const payoutsPage = {
  title: 'Money',
  all: 'All payouts',
  lead: 'What each event has paid you, and what comes next.',
  sums: 'Sums of all payouts',
  paid: 'Paid out',
  paidNote: 'to your Stripe account',
  onItsWay: 'On its way',
  onItsWayNote: 'requested, and sent automatically',
  owed: "See all money you're owed",
  caption: 'Payouts, latest event first',
  event: 'Event',
  amount: 'You get',
  state: 'Status',
  when: 'When',
  estimate: 'so far',
  further: (index: number) => `Additional payout ${index}`,
  moneyOf: (amount: string, title: string) => `${amount}, the money of ${title}`,
  states: {
    'too-early': 'Not yet',
    open: 'Ready to request',
    requested: 'On its way',
    'awaiting-funds': 'On its way',
    'awaiting-account': 'Waits for Stripe',
    paid: 'Paid',
    'nothing-to-pay': 'Nothing to pay out',
    'objections-open': 'Waits for an objection',
    cancelled: 'Event cancelled',
  } satisfies Record<State, string>,
  held: 'On hold by us',
  at(state: State, when: string, isAutomatic: boolean) {
    if (state === 'paid') return when;
    if (state !== 'too-early') return `We send it ${when}`;
    return isAutomatic ? `We request it ${when}` : `Request it from ${when}`;
  },
  none: 'No payouts yet. Each event you publish shows up here with what it earns.',
  more: 'Show more payouts',
  notLoaded: "We couldn't load your payouts.",
  back: 'Back to your events',
};
