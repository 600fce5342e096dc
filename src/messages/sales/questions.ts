/** The *Questions* of an event's *Tickets* screen, as organizers set them up. */
import {
  ACCESS_ANSWER_DAYS,
  ANSWER_DAYS,
  type NameRule,
  OPTIONS_MAX,
  OPTIONS_MIN,
  type QuestionKind,
} from '#domain/sales/guest-form.ts';
import { plural } from '../format.ts';

const kinds: Record<QuestionKind, string> = {
  'short-text': 'Short text',
  'long-text': 'Long text',
  'one-of': 'Choose one',
  'any-of': 'Choose any',
  'yes-no': 'Yes or no',
  date: 'Date',
  access: 'Access needs',
};

const names: Record<NameRule, string> = { off: "Don't ask", optional: 'Optional', required: 'Required' };

export const questionSettings = {
  title: 'Questions',
  lead: 'Asked after the tickets are reserved and before the buyer pays.',
  empty: 'Buyers only give their email address.',
  none: 'This event asks no questions.',
  notLoaded: "We couldn't load the questions.",
  notSaved: "We couldn't save the questions.",
  askNames: 'Names of guests',
  askNamesHint: 'One for each ticket.',
  names,
  nameSearch: 'Phones at the door find guests by name',
  nameSearchHint:
    'They show name, ticket, state and the last two digits. Only team members can check in from there. Each search is in your activity log.',
  nameSearchNotSaved: "We couldn't change the search by name. Please try again.",
  add: 'Add question',
  edit: 'Edit',
  editLabel: (label: string) => `Edit ${label}`,
  remove: 'Remove',
  removeLabel: (label: string) => `Remove ${label}`,
  up: 'Move up',
  upLabel: (label: string) => `Move up ${label}`,
  down: 'Move down',
  downLabel: (label: string) => `Move down ${label}`,
  required: 'Required',
  optional: 'Optional',
  perTicket: 'Each ticket',
  perOrder: 'Once per order',
  about: (types: string) => `Only ${types}`,
  goneTypes: 'ticket types that were removed',
  deletedAfter: (days: number) =>
    `Answers are deleted ${plural(days, { one: '# day', other: '# days' })} after the event.`,

  addTitle: 'Add a question',
  editTitle: 'Edit the question',
  label: 'Question',
  help: 'Hint for buyers',
  helpHint: 'Leave blank for none.',
  kind: 'Answer',
  kinds,
  accessHint: 'What your guest needs to get in and around. Handle the answers with care.',
  options: 'Options',
  optionsHint: `One per line, ${OPTIONS_MIN} to ${OPTIONS_MAX}.`,
  isRequired: 'Buyers have to answer',
  isShownAtDoor: 'Show the answer at the door',
  isShownAtDoorHint: 'On the phone that lets the guest in, while it is online.',
  shownAtDoor: 'Shown at the door',
  scope: 'Asked',
  types: 'Ticket types',
  typesHint: 'Check none to ask about all of them.',
  deleteAfter: 'Delete answers after',
  deleteAfterHint: (kind: QuestionKind) =>
    `Days after the event. Leave blank for ${kind === 'access' ? ACCESS_ANSWER_DAYS : ANSWER_DAYS}.`,
  save: 'Save question',
  cancel: 'Cancel',

  removeTitle: (label: string) => `Remove ${label}?`,
  removeWhy: 'Buyers are no longer asked. Answers that you have stay in your guest list until they are deleted.',
  keep: 'Keep question',
};

export const guestFormSaved = 'Questions saved';

export const nameSearchSaved = (isOn: boolean): string =>
  isOn ? 'Phones at the door can now find guests by name.' : 'Search by name is off.';

export const questionErrors = {
  'details.missing': 'Fill in your details first.',
  'questions.unknown-type': 'One of the ticket types no longer exists. Reload the page.',
};
