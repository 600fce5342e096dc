/** A payout account that Stripe restricted or closed, and the paid sales that stop for it. */
import type { AccountChange } from '#domain/accounts/payout-account.ts';
import { RESTRICTED_SALES_HOURS } from '#domain/limits.ts';
import { supportMailbox } from '#messages/contacts.ts';

const goesOn = 'Free tickets, check-in and refunds go on, and tickets already sold stay valid.';
const finish = 'Open Stripe from your profile, and do what it asks for.';

export const accountChangeEmails: Record<AccountChange, { subject: string; what: string; next: string }> = {
  restricted: {
    subject: 'Stripe restricted your payout account',
    what: `Your payout account can't receive money right now. In ${RESTRICTED_SALES_HOURS} hours, we stop selling your tickets that cost money.`,
    next: `${finish} Then nothing stops.`,
  },
  stopped: {
    subject: 'We stopped selling your paid tickets',
    what: `Stripe has restricted your payout account for ${RESTRICTED_SALES_HOURS} hours, so we stopped selling your tickets that cost money.`,
    next: `${finish} Sales then resume automatically. ${goesOn}`,
  },
  closed: {
    subject: 'Your payout account was closed',
    what: 'Stripe reports that your payout account is closed, so we stopped selling your tickets that cost money.',
    next: `Write to ${supportMailbox}. ${goesOn}`,
  },
  restored: {
    subject: 'Your payout account works again',
    what: 'Your payout account can receive money again.',
    next: 'All of your tickets are on sale as you set them up.',
  },
};

export const seeAccount = 'See your account';

/** Above the organizer's events. */
export const accountBanner = {
  restricted: {
    title: 'Stripe restricted your payout account',
    text: (at: string) => `${finish} Otherwise, we stop selling your tickets that cost money on ${at}.`,
  },
  stopped: {
    title: 'Only free tickets are on sale',
    text: `Stripe restricted your payout account. ${finish} Sales then resume automatically.`,
  },
  closed: {
    title: 'Only free tickets are on sale',
    text: `Stripe reports that your payout account is closed. Write to ${supportMailbox}.`,
  },
};
