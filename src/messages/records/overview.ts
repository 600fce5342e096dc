/** The *Overview* of an event. */
import type { EventOverview } from '#contract/app/records/overview.ts';
import { formatCents, formatCount, plural, TICKETS } from '../format.ts';
import { seeAccount } from '../operations/payout-account.ts';

type Activity = NonNullable<EventOverview['activity']>[number];

const tickets = (count: number) => plural(count, TICKETS);
const ADD_ONS = { one: '# add-on', other: '# add-ons' };
const SCANS = { one: '# scan', other: '# scans' };
const ORDERS = { one: '# order', other: '# orders' };

export const overview = {
  title: 'Overview',
  loading: 'Loading the overview',
  notRefreshed: 'Connection lost. Trying again…',
  figures: 'Figures',
  cancelled: 'This event was cancelled',
  cancelledText: "Tickets no longer scan, and we're refunding your buyers.",

  sold: 'Sold',
  of: (count: number) => `of ${formatCount(count)}`,
  today: (count: number) => `${count < 0 ? '−' : '+'}${formatCount(Math.abs(count))} today`,
  addOns: (count: number) => `and ${plural(count, ADD_ONS)}`,
  seeGuests: 'See the guests',
  youGet: "You'd get",
  youGot: 'You got',
  youGetNote: (gross: number) =>
    gross > 0 ? `of ${formatCents(Math.round(gross * 100))} in sales, after fees` : 'after fees',
  seeMoney: 'See the money',
  checkedIn: 'Checked in',
  stillToCome: 'Still to come',
  noShows: "Didn't come",
  came: 'Came',
  percentOf: (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((part / whole) * 100)}% of sold`,
  views: 'Page views',
  viewsNote: (orders: number, views: number) =>
    orders > 0 && orders <= views
      ? `${plural(orders, ORDERS)}, ${((orders / views) * 100).toLocaleString('en-US', { maximumFractionDigits: 1 })}% of views`
      : plural(orders, ORDERS),
  seeOrders: 'See who ordered',

  doorTitle: 'At the door',
  doorLead: 'Who is in, arrivals and devices, every three seconds.',
  openDoor: 'Open the door page',

  recapTitle: 'How it went',
  busiest: 'Busiest quarter hour',
  arrivals: (count: number) => plural(count, { one: '# arrival', other: '# arrivals' }),
  payout: 'Payout',
  payoutFrom: (when: string) => `From ${when}`,
  payoutStates: {
    'objections-open': 'Waits for objections',
    open: 'Ready',
    'nothing-to-pay': 'Nothing to pay out',
    cancelled: 'None: cancelled',
    requested: 'On its way',
    'awaiting-funds': 'On its way',
    'awaiting-account': 'Waits for Stripe',
  } satisfies Partial<Record<NonNullable<EventOverview['payout']>['state'], string>>,

  paceTitle: 'Tickets sold',
  paceSummary: ({ sold, offered, since }: { sold: number; offered: number; since: string }) =>
    `${formatCount(sold)} of ${tickets(offered)} sold since ${since}.`,
  paceWords: (pace: number, offered: number) =>
    pace < offered ? `At this pace: ${formatCount(pace)} by the start.` : 'At this pace, it sells out.',
  legend: {
    sold: 'Sold',
    limit: (count: number) => `Capacity: ${formatCount(count)}`,
    pace: (count: number) => `At this pace: ${formatCount(count)}`,
  },
  paceTable: 'Tickets sold in all, by day',
  day: 'Day',
  soldThatDay: 'Sold',
  soldInAll: 'In all',
  todayLabel: 'Today',
  startLabel: (day: string) => `Event ${day}`,
  dayTitle: (day: string, count: number) => `${day}: ${formatCount(count)}`,
  inAllTitle: (day: string, count: number) => `${day}: ${formatCount(count)} in all`,

  weeksTitle: 'Last 14 days',
  weeksSummary: (count: number, best: string | null) =>
    count <= 0 ? 'No tickets sold in these days.' : `${tickets(count)} sold.${best ? ` Best day: ${best}.` : ''}`,
  bestDay: (day: string, count: number) => `${day} (${formatCount(count)})`,
  weeksTable: 'Tickets sold by day',

  typesTitle: 'By ticket type',
  addOn: (name: string) => `${name} (add-on)`,
  soldOf: (sold: number, offered: number) => `${formatCount(sold)} of ${formatCount(offered)}`,

  activityTitle: 'Latest activity',
  noActivity: 'Orders, refunds and check-ins show up here.',
  deleted: 'A deleted guest',
  happened: ({ what, tickets: count }: Pick<Activity, 'what' | 'tickets'>) =>
    ({
      bought: `bought ${tickets(count)}`,
      added: `was added with ${tickets(count)}`,
      refunded: `got a refund for ${tickets(count)}`,
      withdrawn: `lost ${tickets(count)} that you gave away`,
      'checked-in': 'checked in',
    })[what],

  needsTitle: 'Needs you',
  needs: {
    photos: { text: 'Events with a photo sell better. Yours has none yet.', action: 'Add photos' },
    dispute: {
      text: ({ count, cents, due }: { count: number; cents: number; due: string | null }) =>
        `${plural(count, { one: 'A payment is', other: '# payments are' })} disputed, ${formatCents(cents)}.${due ? ` Your answer is due ${due}.` : ''}`,
      action: 'Answer',
    },
    payout: { text: (cents: number) => `Your payout of ${formatCents(cents)} is ready.`, action: 'Request it' },
    scans: {
      text: (count: number) =>
        `${plural(count, SCANS)} from the door ${count === 1 ? 'has' : 'have'} not arrived. Turn those phones on where they have a network.`,
      action: 'See devices',
    },
    account: {
      text: {
        restricted: "Stripe restricted your payout account. Finish what it asks for, or we'll stop paid sales.",
        stopped: 'Only free tickets are on sale: Stripe restricted your payout account.',
        closed: 'Only free tickets are on sale: your payout account is closed.',
      },
      action: seeAccount,
    },
  },
};
