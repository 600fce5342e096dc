/** What the pages on privacy say, apart from the schemas: see event-words.ts. */
import { RECORDS_LINK_MINUTES } from './retention.ts';

export const privacyPage = {
  title: 'What we keep about you',
  lead: 'We keep what tickets, the door and the payout need, and nothing for advertising. We sell no information about anyone.',
  what: 'What',
  why: 'Why',
  howLong: 'For how long',
  buyers: 'If you buy tickets',
  organizers: 'If you sell tickets',
  everyone: 'About everyone',
  daily: 'What has had its time is removed once a day, so it can stay up to a day longer.',
  organizerRights:
    'In your profile you can download it as a file, and delete your account. Not in the file: the password, all but the last 4 digits of the tax ID, and what is only a hash.',
  cardCompany:
    'The card company keeps its own records of payments and payouts, which we cannot delete. Card numbers never reach us.',
};

export const recordsForm = {
  title: 'See or delete what we keep',
  words: `You need no account. Tell us the email you bought with, and we mail you a link that works for ${RECORDS_LINK_MINUTES} minutes.`,
  button: 'Mail me the link',
  sent: 'The mail can take a minute. If none comes, we keep no purchase, mail or account with this address, it is in your spam folder, or you asked several times within an hour.',
  failed: 'The link could not be sent. Please try again.',
};

export const recordsPage = {
  loading: 'What we keep about you',
  failed: 'This could not be shown',
  askAgain: 'Ask for a new link',
  purchases: 'Purchases',
  noPurchases: 'No purchase was made with this address.',
  mails: 'Mails we sent',
  noMails: 'We know of no mail to this address.',
  notWhole: 'Only the newest are shown. The file has the same, and deleting covers all.',
  account: 'An organizer account has this address, too. Log in to download or delete it in your profile.',
  download: 'Download as a file',
  remove: 'Delete',
  deletable: 'Can be deleted now',
  until: (date: string) => `Can be deleted from ${date}`,
  confirmTitle: 'Delete what we keep',
  phraseLabel: 'Type the address',
  keep: 'Keep it',
  consequences: [
    'Your address is replaced by a code that leads to nobody, in purchases, tickets, mails and guest lists. An organizer account with it stays.',
    'Purchases that are still needed stay as they are. You can ask again after the dates shown.',
    'Sums and dates stay in the books, as the law asks.',
    'This cannot be undone.',
  ],
  deleteFailed: 'This could not be deleted. Please try again.',
};

export const accountDeletion = {
  download: 'Download My Data',
  remove: 'Delete Account',
  keep: 'Keep the account',
  password: 'Your password',
  consequences: [
    'Your name, phone number, organization, tax ID, photos and logins are deleted, and your email is replaced by a code that leads to nobody.',
    'Sums and dates of your events stay in the books, as the law asks.',
    'What you bought yourself, and the mails about it, are not deleted with the account. Delete them on the page "What we keep about you".',
    'You can register again with the same email, as somebody new.',
    'This cannot be undone.',
  ],
  failed: 'The account could not be deleted. Please try again.',
};
