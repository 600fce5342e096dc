/** The privacy pages, data exports and deletions. */
import { RECORDS_LINK_MINUTES } from '#domain/retention.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { irreversible, linkExpired, linkNotSent } from './pages.ts';

export const privacyPage = {
  title: 'Your data',
  lead: "We keep only what we need for tickets, check-in and payouts. We don't advertise and we never sell data.",
  what: 'What',
  why: 'Why',
  howLong: 'For how long',
  buyers: 'If you buy tickets',
  organizers: 'If you sell tickets',
  everyone: 'About everyone',
  daily: 'We clear expired data daily.',
  organizerRights:
    'You can download this data and delete your account in your profile, and an organization on its Team page. The file leaves out your password, all but the last 4 digits of your tax ID, and anything stored only as a hash.',
  stripe: "Stripe keeps its own records of payments and payouts, which we can't delete. Card numbers never reach us.",
};

export const recordsForm = {
  title: 'See or delete your data',
  lead: `No account needed. Enter the email you used and we'll send a link (good for ${RECORDS_LINK_MINUTES} minutes).`,
  button: 'Email me the link',
  sent: 'It can take a minute. Nothing? Check spam. Otherwise we have no data for that address, or you asked several times in an hour.',
  failed: linkNotSent,
};

export const recordsPage = {
  loading: 'Your data',
  failed: "We couldn't load your data",
  askAgain: 'Get a new link',
  purchases: 'Purchases',
  held: 'Tickets that you were given',
  transferred: 'transferred',
  noPurchases: 'No purchases with this address.',
  emails: 'Emails we sent',
  noEmails: 'No emails to this address.',
  notWhole: 'This page and the file show only the latest. Deleting covers everything.',
  account: 'This address also has an organizer account. Log in to download or delete it in your profile.',
  download: 'Download as a file',
  remove: 'Delete',
  deletable: 'Can be deleted now',
  until: (date: string) => `Can be deleted from ${date}`,
  confirmTitle: 'Delete your data',
  phraseLabel: 'Type your email to confirm',
  keep: 'Keep it',
  consequences: [
    'We replace your email with an anonymous code in purchases, tickets, emails and guest lists. If you have an organizer account, it stays.',
    'Purchases we still need stay for now. Come back after the dates shown.',
    'Amounts and dates stay, as the law requires.',
    irreversible,
  ],
  deleteFailed: "We couldn't delete your data. Please try again.",
};

export const accountDeletion = {
  download: 'Download My Data',
  remove: 'Delete Account',
  keep: 'Keep the account',
  password: 'Your password',
  consequences: [
    'We delete your name, phone number, organization, tax ID, photos and logins, and replace your email with an anonymous code.',
    'Amounts and dates of your events stay, as the law requires.',
    'Tickets you bought yourself, and the emails about them, stay. Delete them on the "Your data" page.',
    'You can sign up again with the same email and start over.',
    irreversible,
  ],
  failed: "We couldn't delete your account. Please try again.",
};

export const accountDeleted = 'Your account has been deleted.';

export const organizationDeletion = {
  remove: 'Delete this organization',
  confirm: 'Delete it',
  keep: 'Keep it',
  why: `We delete its name, tax ID and photos, and every member loses access right away. Its events, their amounts and its Stripe account ID stay, as the law requires. Your account stays, too. ${irreversible}`,
};

export const organizationDeleted = 'The organization has been deleted.';

/** The same for every address, so the reply doesn't reveal who bought a ticket. */
export const recordsLinkSent = 'If we have data for this address, a link to see and delete it is on its way.';

/** Why a purchase cannot be deleted yet. */
export const retainedBecause = {
  'event-open': `Your tickets are needed until ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'refund-under-way': 'Your refund is still in progress.',
  'dispute-open': 'This payment is in dispute.',
  'payment-open': "This payment hasn't settled yet.",
};

export const recordsDeleted = 'Done. We deleted your email everywhere we could.';
export const recordsRetained =
  'We deleted your email, except from purchases we still need. Come back after the dates shown.';

export const privacyErrors = {
  'deletion.dispute-open': 'A payment for your event is in dispute. Please come back once the bank decides.',
  'deletion.event-open': `One of your events isn't over, or its tickets can still be refunded. Cancel it, or come back ${SETTLEMENT_HOLD_HOURS} hours after it ends.`,
  'deletion.money-owed': 'You still owe money from an earlier payout. Please contact us.',
  'deletion.not-paid-out': "One of your events hasn't been paid out yet. Request its payout first.",
  'deletion.payout-under-way': 'A payout to you is still in progress. Please come back in a few days.',
  'deletion.refund-under-way': 'A refund to one of your buyers is still in progress. Please come back in a few days.',
  'records-link.unknown': linkExpired,
};
