/** The printed door guide: what attendants see, what it means, and what to do. */
import type { CheckInStatus } from '#contract/app/check-in.ts';
import { UNDO_SECONDS } from '#domain/limits.ts';
import { admitted, checkInErrors, handOut } from './check-in.ts';
import { admittedOffline, handOutOffline, notOnList } from './check-in-offline.ts';
import { errorOccurred } from './pages.ts';

/** Results from the server, plus those that a device decides by itself. */
export type ShownResult = CheckInStatus | 'admitted-offline' | 'handed-out-offline' | 'not-on-list' | 'unreachable';

interface ResultGuide {
  result: ShownResult;
  sees: string;
  means: string;
  act: string;
}

/** Most common first. */
export const resultGuide: readonly ResultGuide[] = [
  {
    result: 'admitted',
    sees: admitted('General admission'),
    means: 'A valid ticket. It is now marked as used.',
    act: 'Let them in.',
  },
  {
    result: 'admitted-offline',
    sees: admittedOffline('General admission'),
    means: "You're offline. The ticket is valid on this phone's list.",
    act: 'Let them in.',
  },
  {
    result: 'already-in',
    sees: checkInErrors['check-in.already-in']({ time: '7:32 PM', device: 'Gate 1' }),
    means: 'This ticket already got in.',
    act: 'Ask: did they step out, or is it a copy?',
  },
  {
    result: 'unknown',
    sees: checkInErrors['check-in.unknown-ticket'],
    means: 'A typo, or not a ticket for this event.',
    act: 'Check all 10 digits, the event and the date.',
  },
  {
    result: 'not-on-list',
    sees: notOnList('6:41 PM'),
    means: "You're offline. It just sold, or it isn't a ticket.",
    act: 'Ask your lead, or wait for the network.',
  },
  {
    result: 'not-open',
    sees: checkInErrors['check-in.not-open']({ opens: 'Friday at 8:00 AM EDT' }),
    means: 'The ticket is fine, but it is too early.',
    act: 'Have them come back then.',
  },
  {
    result: 'closed',
    sees: checkInErrors['check-in.closed']({ closed: 'Saturday at 11:30 AM EDT' }),
    means: 'It is too late to check in.',
    act: 'Send them to the organizer.',
  },
  {
    result: 'other-event',
    sees: checkInErrors['check-in.other-event']({ title: 'Late Show' }),
    means: 'A ticket for another event by this organizer.',
    act: 'Show them the event and date on their ticket.',
  },
  {
    result: 'transferred',
    sees: checkInErrors['check-in.transferred']({ when: '6:02 PM', isToday: true }),
    means: 'Someone else has this ticket now, under a new number.',
    act: "Don't let them in. Ask for the code in the newest email.",
  },
  {
    result: 'refunding',
    sees: checkInErrors['check-in.refunding'],
    means: 'The buyer asked for a refund.',
    act: 'Have them keep it with the link in their email, then scan again.',
  },
  {
    result: 'refunded',
    sees: checkInErrors['check-in.refunded'],
    means: 'The buyer got their money back.',
    act: 'They need a new ticket.',
  },
  {
    result: 'void',
    sees: checkInErrors['check-in.void'],
    means: 'The payment was reversed after the sale.',
    act: 'They can buy a new ticket or see the organizer.',
  },
  {
    result: 'disputed',
    sees: checkInErrors['check-in.disputed'],
    means: "The buyer's bank is reviewing the payment.",
    act: 'Send them to the organizer.',
  },
  {
    result: 'event-cancelled',
    sees: checkInErrors['check-in.event-cancelled'],
    means: 'All tickets are refunded automatically.',
    act: "Don't let anyone in.",
  },
  {
    result: 'unreachable',
    sees: errorOccurred,
    means: "The ticket wasn't checked or marked as used.",
    act: 'Try again. If that fails, write the number down.',
  },
];

/** For events that sell add-ons. */
export const addOnGuide: readonly ResultGuide[] = [
  {
    result: 'handed-out',
    sees: handOut('T-shirt'),
    means: 'An add-on. It lets no one in.',
    act: 'Hand it out. To get in, they need a ticket.',
  },
  {
    result: 'handed-out-offline',
    sees: handOutOffline('T-shirt'),
    means: "You're offline. It is on this phone's list.",
    act: 'Hand it out. To get in, they need a ticket.',
  },
  {
    result: 'already-handed-out',
    sees: checkInErrors['check-in.already-handed-out']({ time: '7:32 PM', device: 'Gate 1' }),
    means: 'They already have it.',
    act: 'Ask at the phone that handed it out.',
  },
];

export const guideSteps = [
  'Scan this code with your phone camera, or open the address below.',
  'Enter the attendant code. Not case-sensitive.',
  'Name the phone after its spot, like “Gate 2”, and allow the camera.',
  'Hold the ticket’s QR code in the square, or type its 10 digits.',
] as const;

export const guideWithoutNetwork = [
  'Keep scanning. The phone checks its own list and reconnects on its own.',
  'Keep the page open, or reopen it on the same phone: its scans wait there until it’s back online.',
  'With several phones offline, one ticket can get in twice. The organizer sees it afterward.',
] as const;

export const guideHints = [
  `Let someone in by mistake? “Undo” works for ${UNDO_SECONDS} seconds.`,
  'Won’t scan? Turn up their screen, hold it 6 inches away, or type the number.',
  'Lost the number? “Find” looks it up by the last 4 digits.',
  'Stop the scanner when it’s quiet. The camera drains the battery.',
] as const;
