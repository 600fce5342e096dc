/** What is kept about people, why, and for how long. The page shows it and the purge keeps to it, so neither can say anything else. */

/** What the purge removes by itself, in days. */
export const retentionDays = {
  unverifiedAccount: 30,
  unpaidOrder: 1,
  notice: 30,
  mailAddress: 90,
  mailCopy: 30,
  failedRequest: 30,
  doorDevice: 30,
};

/** How long a link to one's own records works. */
export const RECORDS_LINK_MINUTES = 30;
export const SESSION_HOURS = 12;

const forDays = (days: number) => (days === 1 ? '24 hours' : `${days} days`);

interface Retained {
  what: string;
  why: string;
  howLong: string;
}

const whileAccount = 'Until you delete your account.';
const ledgerRetention =
  'As long as tax law asks for the books. The email address in it only until you ask us to delete it.';

export const buyerRetention: readonly Retained[] = [
  {
    what: 'Your email address, your tickets and their confirmation numbers, what you paid, and whether and when a ticket was scanned or refunded',
    why: 'To send the tickets, let you in, and give money back',
    howLong: ledgerRetention,
  },
  {
    what: 'A checkout that was not paid',
    why: 'To hold its tickets while you pay',
    howLong: `Its link to the payment page, and an email address if it has one, are removed after ${forDays(retentionDays.unpaidOrder)}.`,
  },
];

export const organizerRetention: readonly Retained[] = [
  { what: 'Email address and a hash of the password', why: 'To log you in', howLong: whileAccount },
  {
    what: 'Account whose email nobody verified, and with which nothing was done',
    why: 'To give you time to verify it',
    howLong: `${forDays(retentionDays.unverifiedAccount)}, then it is deleted.`,
  },
  {
    what: 'Name, phone number, organization, bio and photos',
    why: 'To know whom we pay, and to show buyers who sells',
    howLong: whileAccount,
  },
  {
    what: 'Date of birth',
    why: 'Organizers must be adults',
    howLong: 'Until the card company has verified your payout account. Then we keep only that you were old enough.',
  },
  {
    what: 'Tax ID, encrypted; only its last 4 digits can be read',
    why: 'To tell whose sales they were',
    howLong: whileAccount,
  },
  {
    what: 'Events, sales, refunds, payouts, referral codes, and the number of your account at the card company',
    why: 'Books that the law asks for',
    howLong: 'As long as tax law asks for the books. A referral code that nobody used goes with your account.',
  },
  {
    what: 'Devices at your doors: how each was named, when it came and was last there, and what it decided without a network',
    why: 'To show you which device let in whom, and to shut one out',
    howLong: `${forDays(retentionDays.doorDevice)} after the event's end, or until you delete your account.`,
  },
  {
    what: 'Logins',
    why: 'To keep you logged in',
    howLong: `${SESSION_HOURS} hours, or until you log out. Removed within a day after.`,
  },
];

export const commonRetention: readonly Retained[] = [
  {
    what: 'That we mailed you, and when',
    why: 'So that no mail is sent twice',
    howLong: `The address is removed from it ${forDays(retentionDays.mailAddress)} after the mail. What it said is not kept once it is sent; if it cannot be delivered, its link and address are removed with the rest.`,
  },
  {
    what: 'The mail itself, only on an installation without a mail server',
    why: 'To read it there, on trial',
    howLong: `${forDays(retentionDays.mailCopy)}.`,
  },
  {
    what: 'Links in mails: a hash of each, and the address it was sent to',
    why: 'To verify or take back an email, to set a password, or to see what we keep',
    howLong: 'Until they expire, 30 minutes to 4 days. Removed within a day after.',
  },
  {
    what: 'The address for which a new password or a link to this page was asked',
    why: 'To send the mail',
    howLong: `Seconds, as a rule. If that fails again and again, until ${forDays(retentionDays.failedRequest)} after the last try.`,
  },
  {
    what: 'What the card company reports about a payment',
    why: 'To act on it, and to find out what went wrong',
    howLong: `${forDays(retentionDays.notice)} after it was acted on.`,
  },
  {
    what: 'How often something is tried, such as passwords, codes, links and checkouts: counts by network, account and email address, each as a hash that only our key can make',
    why: 'To slow down who guesses or floods us',
    howLong: 'At most 24 hours.',
  },
  {
    what: 'Acts of weight, such as cancelling, payouts, refunds, new passwords and deletions: what, when, and by which account or from which network, this as a hash that only our key can make',
    why: 'To find out who did it, should somebody ask',
    howLong: 'As long as the books. No name and no address is in it.',
  },
  {
    what: 'What our operators did by hand about a payment, a refund or a mail, with their note',
    why: 'To explain the books',
    howLong: 'As long as the books.',
  },
  {
    what: 'Server logs: what failed and when, without names, addresses or what was typed in',
    why: 'To keep the service running',
    howLong: 'As long as the operator keeps logs: 30 days are advised.',
  },
  {
    what: 'Who asked for deletion: address and account as hashes that only our key can make',
    why: 'To delete again what an old backup brings back',
    howLong: 'For good. It tells nobody who you are.',
  },
];
