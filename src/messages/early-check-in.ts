/** A ticket that was checked in long before the start: the email to its buyer, and the page with the objection. */
import type { EarlyCheckInState } from '#domain/early-check-in.ts';

export const earlyCheckInEmail = {
  above: 'Checked in',
  subject: 'Your ticket was checked in',
  /** `when` and `starts` are formatted dates. */
  lead: ({ when, starts }: { when: string; starts: string }) =>
    `This ticket was checked in on ${when}. The event starts on ${starts}. A checked-in ticket can't be refunded.`,
  undoneAtDoor: 'That check-in has been undone since, so the ticket is valid again.',
  ask: "Were you there? Then there's nothing you need to do. If not, tell us:",
  button: "I wasn't there",
  smallPrint: "The link opens a page that asks again before anything changes. Don't share it.",
};

export const decidedEmail = {
  above: 'Check-in',
  undone: {
    subject: 'Your ticket is valid again',
    /** `until` is a formatted date. */
    lead: (until: string) =>
      `We undid its check-in, so the ticket admits you and can be refunded again. Refunds are open until ${until}.`,
    button: 'See your ticket',
  },
  kept: {
    subject: 'The check-in of your ticket stands',
    lead: "We looked into it, and the ticket stays checked in. It can't be refunded.",
    button: 'See what we decided',
  },
};

/** `when` and `until` are formatted dates: of the check-in, and of the end of refunds. */
export function earlyCheckInHeadline(state: EarlyCheckInState, { when, until }: { when: string; until: string }) {
  const headlines: Record<EarlyCheckInState, { title: string; lead: string }> = {
    'checked-in': { title: 'Your ticket was checked in', lead: `It was scanned on ${when}, long before the start.` },
    objected: {
      title: "You told us that you weren't there",
      lead: "We're looking into it and will email you. Until then, the organizer isn't paid.",
    },
    'undone-at-door': {
      title: 'Your ticket is valid',
      lead: 'It was checked in by mistake, and that was undone right away.',
    },
    undone: {
      title: 'Your ticket is valid again',
      lead: `We undid its check-in. The ticket admits you, and it can be refunded until ${until}.`,
    },
    kept: {
      title: 'The check-in stands',
      lead: "We looked into it. The ticket stays checked in and can't be refunded.",
    },
    closed: { title: 'Nothing left to do', lead: 'This ticket, or its event, has changed since the email was sent.' },
  };
  return headlines[state];
}

export const objectionOffer = {
  title: 'Not you?',
  lead: "A checked-in ticket can't be refunded. If you weren't there, tell us: we look into it, and the organizer isn't paid until we have decided.",
  button: "I wasn't there",
  busy: 'Telling us…',
};

export const earlyCheckInPage = {
  loading: 'Loading your ticket…',
  failed: "We couldn't load your ticket",
  again: 'Try again',
  event: 'Event',
  ticket: 'Ticket',
  number: 'Confirmation number',
  starts: 'Starts',
  checkedIn: 'Checked in',
  toEvent: 'Back to the event',
  toRefund: 'Request a refund',
};

export const objectionReceived = "Thanks for telling us. We're looking into it and will email you.";

export const earlyCheckInErrors = {
  'check-in-link.unknown': "We can't find a check-in for this link. Open it from the email again.",
  'objection.closed': 'This ticket, or its event, has changed since the email was sent.',
  'objection.decided': 'We already looked into this check-in.',
  'objection.not-checked-in': "This ticket isn't checked in.",
};
