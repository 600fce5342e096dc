/** The table of the privacy page: what we keep, why, and for how long. */
import { INVITATION_DAYS } from '#domain/accounts/team.ts';
import { KNOWN_BROWSER_DAYS, retentionDays, SESSION_HOURS } from '#domain/retention.ts';
import { ACCESS_ANSWER_DAYS, ANSWER_DAYS } from '#domain/sales/guest-form.ts';
import { plural } from './format.ts';

const forDays = (days: number) => plural(days, { one: '24 hours', other: '# days' });

interface Retained {
  what: string;
  why: string;
  howLong: string;
}

const whileAccount = 'Until you delete your account.';
const whileOrganization = 'Until its owner deletes the organization or their account.';
const accounting = 'As long as tax law requires. Your email and name only until you ask us to delete them.';

export const buyerRetention: readonly Retained[] = [
  {
    what: 'Your email address and name, your tickets and their numbers, what you paid, and when a ticket was scanned or refunded',
    why: 'To send your tickets, check you in, and refund you',
    howLong: accounting,
  },
  {
    what: "Names of guests and answers to the organizer's questions",
    why: 'To prepare the event, and to know who uses which ticket',
    howLong: `Names ${forDays(retentionDays.guestName)} after the event, answers ${forDays(ANSWER_DAYS)} unless the organizer set another time, answers about access needs and notes for the door ${forDays(ACCESS_ANSWER_DAYS)}, or until you ask us to delete your data. For unpaid checkouts, ${forDays(retentionDays.unpaidOrder)}.`,
  },
  {
    what: 'Which card paid, as a keyed hash',
    why: 'To find out who refunds again and again',
    howLong: `${forDays(retentionDays.cardHash)} after the refunds of the event have closed, or until you ask us to delete your data.`,
  },
  {
    what: 'If you dispute a payment: evidence of your purchase, our emails, scans and refunds',
    why: 'To answer your bank, through Stripe',
    howLong:
      'We keep only when we sent it. What the organizer adds stays until a day after the decision. Stripe keeps its own records.',
  },
  {
    what: 'An unpaid or unconfirmed checkout, and the network it came from as a keyed hash',
    why: 'To hold your tickets, and to keep one network from holding all',
    howLong: `The hash until the hold ends, the payment link and your email for ${forDays(retentionDays.unpaidOrder)}, the rest for ${forDays(retentionDays.expiredOrder)}.`,
  },
  {
    what: 'Which tickets you saved in a wallet, and the push tokens of iPhones with them',
    why: 'To update them when something changes',
    howLong: `${forDays(retentionDays.walletPass)} after the event, or until you ask us to delete your data.`,
  },
  {
    what: 'What you write to an organizer, and the address for the answer',
    why: 'To pass it on',
    howLong: 'Until the email is sent. The organizer then has it in their mailbox.',
  },
  {
    what: 'How many waiting-room places your network asked for before a sale started, as a keyed hash',
    why: 'To keep one network from filling the line',
    howLong: 'Until sales start. Removed within a day after that.',
  },
  {
    what: "How often an event's page was opened on a day: a number without who",
    why: 'To show its organizer',
    howLong: 'As long as the event.',
  },
];

export const organizerRetention: readonly Retained[] = [
  { what: 'Email address and a hash of the password', why: 'To log you in', howLong: whileAccount },
  {
    what: 'Passkeys, the sealed key of your authenticator app, and hashes of your recovery codes',
    why: 'To log you in with a second factor',
    howLong: 'Until you remove them or delete your account.',
  },
  {
    what: 'A hash of each browser that has logged in to your account',
    why: 'To warn you of a new one',
    howLong: `${forDays(KNOWN_BROWSER_DAYS)} after its last login.`,
  },
  {
    what: 'Your organizations, your role, and when you were last there',
    why: 'To let you work for them, which their owners see',
    howLong: 'Until you leave or delete your account.',
  },
  {
    what: 'The email address of a person who was invited to a team',
    why: 'To let them join',
    howLong: `${forDays(INVITATION_DAYS)}, or until they join. Removed within a day after that.`,
  },
  {
    what: 'API keys: name, maker, scopes, last use, and a hash',
    why: 'To let programs in, and to show who could do what',
    howLong: whileOrganization,
  },
  {
    what: 'Answers to programs, encrypted, without names and addresses',
    why: 'To do a repeated request once',
    howLong: forDays(1),
  },
  {
    what: 'Unused account with an unverified email',
    why: 'To give you time to verify it',
    howLong: `${forDays(retentionDays.unverifiedAccount)}, then we delete it.`,
  },
  {
    what: 'Name and phone number',
    why: 'To know who we pay',
    howLong: whileAccount,
  },
  {
    what: 'Name and bio of the organization, and photos of its events',
    why: "To show buyers who's selling",
    howLong: whileOrganization,
  },
  {
    what: 'Date of birth',
    why: 'Organizers must be adults',
    howLong: 'Until Stripe has verified your account. Then we only keep that you were old enough.',
  },
  {
    what: 'Tax ID, encrypted; only its last 4 digits are readable',
    why: 'To report who made the sales',
    howLong: whileOrganization,
  },
  {
    what: 'Events, sales, refunds, payouts, referral codes, and your Stripe account ID',
    why: 'Accounting required by law',
    howLong: 'As long as tax law requires. We delete an unused referral code with its organization.',
  },
  {
    what: 'Check-in devices: name, when each joined and was last seen, what it decided offline',
    why: 'To show you who checked in whom, and to remove a device',
    howLong: `${forDays(retentionDays.checkInDevice)} after the event ends, or until the organization is deleted.`,
  },
  {
    what: 'Logins: when, when last used, and the name of the browser',
    why: 'To keep you logged in, and to show you where you are',
    howLong: `${SESSION_HOURS} hours, or until you log out. Removed within a day after that.`,
  },
];

export const commonRetention: readonly Retained[] = [
  {
    what: 'That we emailed you, and when',
    why: 'To avoid sending an email twice',
    howLong: `We remove the address ${forDays(retentionDays.emailAddress)} after the email. We don't keep its content once it's sent; if it can't be delivered, its link and address are removed with the rest.`,
  },
  {
    what: 'The email itself, only on an installation without a mail server',
    why: 'To try out the product',
    howLong: `${forDays(retentionDays.emailCopy)}.`,
  },
  {
    what: 'Links in emails: a hash of each, and the address it was sent to',
    why: 'To verify or restore an email, set a password, or show your data',
    howLong: 'Until they expire, after 60 minutes to 4 days. Removed within a day after that.',
  },
  {
    what: 'The address that requested a new password or a link to this page',
    why: 'To send the email',
    howLong: `Usually seconds. If sending keeps failing, until ${forDays(retentionDays.failedRequest)} after the last attempt.`,
  },
  {
    what: 'What Stripe reports about a payment',
    why: 'To process it, and to find out what went wrong',
    howLong: `${forDays(retentionDays.webhookEvent)} after it was processed.`,
  },
  {
    what: 'Which emails others could have requested for you: your address as a keyed hash',
    why: 'To keep strangers from flooding your inbox',
    howLong: `Removed within a day after ${forDays(retentionDays.emailRecipient)}.`,
  },
  {
    what: 'Rate limits for things like passwords, codes, links and checkouts: counts by network, account and email, each stored as a keyed hash',
    why: 'To slow down guessing and flooding',
    howLong: 'At most 24 hours.',
  },
  {
    what: 'An audit log of actions like logins, changes of events, cancellations, payouts, refunds, new passwords and deletions: what, when, and which account or network, stored as a keyed hash',
    why: "To show organizations who did what, and to find out who did it if that's ever in question",
    howLong: `As long as tax law requires. It contains no names or addresses, and we delete the key of its networks after ${forDays(retentionDays.networkKey)}.`,
  },
  {
    what: 'What people reported about an event, in their words, and their network as a keyed hash; no name or address',
    why: 'To stop fraud, and to learn when many people report the same event',
    howLong: `${forDays(retentionDays.abuseReport)}.`,
  },
  {
    what: 'When webhooks were sent, and which status was answered',
    why: 'To find out why a program missed something',
    howLong: forDays(retentionDays.webhookDelivery),
  },
  {
    what: 'Manual steps our team took on a payment, refund or email, with their notes',
    why: 'To explain our accounting',
    howLong: 'As long as tax law requires.',
  },
  {
    what: 'Server logs: what failed and when, without names, addresses or anything you typed',
    why: 'To keep the service running',
    howLong: 'As long as the operator keeps logs; we recommend 30 days.',
  },
  {
    what: 'Who requested deletion: address and account as keyed hashes',
    why: 'To delete it again if an old backup is restored',
    howLong: "Forever. It doesn't reveal who you are.",
  },
];
