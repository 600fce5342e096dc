/** What organizers are owed: their own screen, and the published total. */
import type { OrganizationFunds } from '#contract/app/records/funds.ts';
import type { FundsState } from '#domain/payouts/funds.ts';

type OwedState = OrganizationFunds['events'][number]['state'];

const owedStates: Record<OwedState, (day: string) => string> = {
  'not-due': (day) => `You can request it from ${day}`,
  due: () => 'Request it on your profile',
  requested: () => 'Requested, and on its way',
  'awaiting-account': () => 'Waits until your Stripe account can receive it',
  'waits-for-operator': () => 'On hold. Your profile says why',
  'waits-for-objections': () => "Waits until a buyer's objection is decided",
  'kept-back': () => 'Kept from a payout, and sent later',
  'to-buyers': () => 'Goes back to the buyers',
  none: () => 'Nothing to request yet',
};

export const fundsPage = {
  title: "Money you're owed",
  lead: 'Your sales after fees, event by event, until they are paid out.',
  caption: "Events with money you're owed",
  event: 'Event',
  owed: "You're owed",
  next: 'What happens next',
  nextOf: (state: OwedState, day: string) => owedStates[state](day),
  onHold: (amount: string) => `${amount} more if the bank decides for you in a dispute`,
  differs: "Our records disagree on this event's money. We are looking into it.",
  none: 'There is nothing to pay out. Your next sale shows up here at once.',
  debt: 'What you owe us, taken from your next payouts',
  overDeducted: 'What we deducted too much',
  total: 'Total',
  compared: (when: string) => `Last compared with Stripe, payment by payment: ${when}.`,
  neverCompared: 'Not compared with Stripe yet.',
  notLoaded: "We couldn't load what you're owed.",
  back: 'Back to your profile',
};

export const proofCard = {
  title: 'Check that we count you',
  why: ({ day, amount, total }: { day: string; amount: string; total: string }) =>
    `On ${day} we signed that we owe organizers ${total}. Your browser can check that your ${amount} is part of it, without seeing anyone else's name.`,
  organization: (id: string) => `Your organization in the proof: ${id}`,
  nothing: (day: string) =>
    `The total that we signed on ${day} has nothing of you. You were owed nothing at that time.`,
  check: 'Check',
  matches: ({ amount, total }: { amount: string; total: string }) => `Matches: your ${amount} is part of the ${total}.`,
  mismatch: "Doesn't match. Download the proof and send it to us.",
  failed: "We couldn't load the published total. Please try again.",
  download: 'Download the proof',
  published: 'All published totals',
};

const fundsStates: Record<FundsState, { short: string; long: string }> = {
  covered: { short: 'Covered', long: 'Everything we owe is at Stripe.' },
  short: { short: 'Too little', long: 'Less is at Stripe than we owe.' },
  differs: { short: 'Differs', long: 'Stripe and our ledger disagree on a payment. We are looking into it.' },
  stale: { short: 'Unknown', long: 'Not checked in the last hour.' },
};

export const trustPage = {
  title: 'What we owe and what we hold',
  lead: 'We hold ticket money for organizers until we pay it out. Here is all of it, next to what is in our account at Stripe.',
  stateOf: (state: FundsState) => fundsStates[state],
  organizers: 'Owed to organizers, after fees',
  buyers: 'Owed to buyers for refunds',
  balance: 'In our account at Stripe',
  read: (when: string) => `Read ${when}.`,
  compared: (when: string) => `Each payment compared with Stripe ${when}.`,
  neverCompared: 'No payment compared with Stripe yet.',
  notRead: 'Nothing has been read yet. It takes a few minutes after the first start.',
  snapshots: 'Signed totals',
  noSnapshots: 'The first total is signed within minutes.',
  day: 'Day',
  total: 'Owed to organizers',
  root: 'Root',
  signature: 'Signature and key',
  howTitle: 'How to check it',
  how: [
    "Each organizer finds a proof on the screen “Money you're owed”: their amount, and a path to the root of that day.",
    'The first hash is the SHA-256 of the line that begins with “owed”, as hexadecimal digits.',
    'Each line “left” or “right” is the neighbor. Hash the text “sum”, the left hash, its cents, the right hash and its cents, with a space between each. Add the cents.',
    'The last hash and sum must be the root and the total of that day. Two organizers with different roots for one day would prove us wrong.',
    'The signature is Ed25519 over the day, the root and the total in cents, with a space between each. Keep a copy: we can change the key.',
  ],
  notPublished: 'Totals are not published here.',
  notLoaded: "We couldn't load the totals.",
};
