/** The editor of an event's page. */
import type { AnnouncedChange } from '#domain/event-schedule.ts';
import { announcedChanges } from '../events.ts';
import { BUYERS, plural } from '../format.ts';

const CHANGES = { one: '# change', other: '# changes' };
const TO_FIX = { one: '# thing to fix', other: '# things to fix' };

export const eventEditor = {
  lead: 'Edit the page, and see it as buyers will.',
  newTitle: 'Create Event',
  newLead: 'Fill it in and watch the page take shape. Nothing is public until you publish it.',
  mayNotCreate: "Your role doesn't include creating events.",
  openPage: 'Use the full page with a live preview',
  form: 'Event',
  panes: 'Edit or preview',
  edit: 'Edit',
  /** Of the bar that says what is saved. */
  state: 'Save and publish',
  preview: 'Preview',
};

export const pastVenuesText = {
  label: 'Past venues',
  hint: 'Fills in the name, the address, the time zone and the pin.',
  none: 'Choose',
  venue: ({ venueName, street, city }: { venueName: string | null; street: string; city: string }) =>
    [venueName, street, city].filter(Boolean).join(', '),
};

/** What most events leave as it is, and what it is while it is closed. */
export const advancedFields = {
  title: 'Advanced',
  onSale: 'On sale',
  sells: (from: string | null, hasRoom: boolean) =>
    `${from ? `From ${from}` : 'As soon as it is published'}${hasRoom ? ', with a waiting room' : ''}`,
  checkIn({ opens, closes }: Record<'opens' | 'closes', string | null>) {
    if (opens && closes) return `From ${opens} until ${closes}`;
    return opens ? `From ${opens}` : closes ? `Until ${closes}` : 'At any time';
  },
  pin: 'Adjust pin',
  pinAt: (latitude: string, longitude: string) =>
    latitude && longitude ? `${latitude}, ${longitude}` : 'Set by the address',
};

export const previewPane = {
  title: 'Live preview',
  /** Of the frame that shows the page. */
  frame: 'Preview of the event page',
  sizes: 'Screen size',
  phone: 'Phone',
  desktop: 'Desktop',
  /** Fields that can't be shown as typed. */
  incomplete: (fields: number) =>
    `${plural(fields, { one: '# field is', other: '# fields are' })} not filled in yet, so the page shows an example.`,
  stored: (fields: number) =>
    `${plural(fields, { one: '# field is', other: '# fields are' })} not valid, so the page shows what was saved.`,
  failed: "We couldn't load the preview.",
  none: 'No preview is available here.',
  asBuyer: 'Preview as buyer',
  /** Shown for what is not typed yet. */
  example: {
    title: 'Your event',
    description: 'What happens, and who plays.',
    participants: '100',
    street: '1 Main St',
    city: 'New York',
    state: 'NY',
    postalCode: '10001',
    latitude: '40.7128',
    longitude: '-74.006',
    ticketName: (row: number) => (row === 0 ? 'General admission' : `Ticket ${row + 1}`),
    ticketDescription: 'What the ticket includes.',
    ticketPrice: '0',
    ticketQuantity: '100',
  },
};

export const editorPhotos = {
  title: 'Photos',
  none: 'No photos yet. The page shows a poster until you add some.',
  list: (title: string) => `Photos of ${title}`,
  hint: 'The first one is the cover, unless you choose another. Changes to photos are live at once.',
  hintOfDraft: 'The first one is the cover, unless you choose another.',
  later: 'Save the draft first, then add photos.',
  add: 'Add Photos',
  remove: 'Delete Photos',
  cover: 'Cover',
  photo: (position: number) => `Photo ${position}`,
};

export const saveStates = {
  saved: 'Saved',
  waiting: 'Unsaved changes',
  saving: 'Saving…',
  incomplete: (problems: number) => `Not saved yet. ${plural(problems, TO_FIX)}.`,
  failed: 'Not saved. What you typed is still here.',
  retrying: 'Trying again in a few seconds.',
  tryAgain: 'Try again',
  onDevice: 'Kept on this device until you save it.',
  toFix: (problems: number) => `${plural(problems, TO_FIX)}. Each is marked above.`,
};

export const liveBar = {
  unchanged: 'Buyers see what is here.',
  changes: (changes: number) => plural(changes, CHANGES),
  emails: ({ buyers, about }: { buyers: number; about: AnnouncedChange }) =>
    `${plural(buyers, BUYERS)} will get an email about the new ${announcedChanges[about]}`,
  review: 'Review & publish',
  discard: 'Discard',
  discardTitle: 'Discard your changes?',
  discardWhy: 'The form goes back to what buyers see now.',
  keep: 'Keep editing',
};

export const reviewText = {
  title: 'Review your changes',
  none: 'Nothing has changed.',
  before: (text: string) => `Before: ${text}`,
  publish: 'Publish changes',
  published: 'Your changes are live.',
  keep: 'Keep editing',
};

export const publishList = {
  title: 'Before you publish',
  ready: 'Ready to publish.',
  done: 'Done',
  open: 'To do',
  steps: {
    fields: 'All fields are filled in',
    'ticket-type': 'One ticket type',
    date: 'A date in the future',
    'verify-email': 'A verified email',
    'account-information': 'Your organization details',
    'connect-payouts': 'A payout account',
    'place-in-plan': 'A free place in your plan',
  },
  setUp: 'Set it up',
};
