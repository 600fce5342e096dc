/** Guests at no charge, from a file. */
import type { RowProblem } from '#contract/app/sales/import-guests.ts';
import { IMPORT_COLUMNS_MAX, IMPORT_ROWS_MAX, ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { DOOR_NOTE_MAX, GUEST_NAME_MAX } from '#domain/sales/guest-form.ts';
import { formatCount, plural, TICKETS } from '../format.ts';

const GUESTS = { one: '# guest', other: '# guests' };

export const importPage = {
  title: 'Import a file',
  lead: `A CSV file with one guest per row and headings in its first row. Guests need an email address or a name. Up to ${formatCount(IMPORT_ROWS_MAX)} guests and 1 MB.`,
  file: 'CSV file',
  reading: 'Reading the file…',
  notRead: "We couldn't read the file. Please try again.",
  guest: 'Guest',
  email: 'Email',
  name: 'Name',
  note: 'Door note',
  type: 'Ticket type',
  quantity: 'Tickets each',
  noColumn: 'Not in the file',
  chooseColumn: 'Choose a column',
  defaultType: 'Ticket type for rows without one',
  preview: 'First guests',
  found: (guests: number, tickets: number) => `${plural(guests, GUESTS)}, ${plural(tickets, TICKETS)}`,
  unaddressed: (guests: number) =>
    `${plural(guests, { one: '# guest has', other: '# guests have' })} no email address and will get no email.`,
  problems: (count: number) =>
    `${plural(count, { one: '# row', other: '# rows' })} can't be imported. Correct the file and choose it again.`,
  short: ({ ticketName, wanted, left }: { ticketName: string; wanted: number; left: number }) =>
    `${ticketName}: ${formatCount(wanted)} needed, ${formatCount(left)} left.`,
  importAll: (guests: number) => `Import ${plural(guests, GUESTS)}`,
  importing: 'Importing…',
  notImported: "We couldn't import the guests. Please try again.",
  imported: (tickets: number) => `${plural(tickets, { one: '# ticket is', other: '# tickets are' })} being issued.`,
  underWay: 'Tickets of an import are being issued. This list grows until all are.',
};

/** What is wrong with a row of the file. */
export function rowProblem({ row, reason, value }: RowProblem): string {
  const where = `Row ${formatCount(row)}`;
  if (reason === 'email')
    return value === '' ? `${where}: email and name are missing` : `${where}: ${value} is not an email address`;
  if (reason === 'type')
    return value === '' ? `${where}: ticket type is missing` : `${where}: there is no ticket type ${value}`;
  if (reason === 'name') return `${where}: names have at most ${GUEST_NAME_MAX} characters`;
  if (reason === 'note') return `${where}: door notes have at most ${DOOR_NOTE_MAX} characters`;
  return `${where}: tickets must be a whole number from 1 to ${ORDER_TICKETS_MAX}`;
}

export const importErrors = {
  'import.empty': 'This file has no guests below its headings.',
  'import.id-used': 'This import was already used for another file.',
  /** The first problem, and how many rows have one. */
  'import.invalid-rows': ({ count, ...first }: RowProblem & { count: number }) =>
    count === 1
      ? `${rowProblem(first)}.`
      : `${rowProblem(first)}. ${plural(count - 1, { one: '# more row', other: '# more rows' })} can't be imported.`,
  'import.no-guest-column': 'Choose the column that has the email addresses, or the names.',
  'import.no-file': 'Choose a file.',
  'import.not-utf8': 'This file is not UTF-8. Save it as "CSV UTF-8".',
  'import.too-large': 'This file is larger than 1 MB.',
  'import.too-many-columns': `This file has more than ${IMPORT_COLUMNS_MAX} columns.`,
  'import.too-many-rows': `This file has more than ${formatCount(IMPORT_ROWS_MAX)} guests.`,
  'import.unreadable': "This file isn't valid CSV. Is a quote left open?",
};
