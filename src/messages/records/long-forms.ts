/** Forms longer than the screen. */
import { formatCount, plural } from '../format.ts';

/** Next to the button that sends one. */
export const thingsToFix = (count: number) => plural(count, { one: '# thing to fix', other: '# things to fix' });

/** Asked when a link would drop what was typed. */
export const leaving = {
  title: 'Leave without saving?',
  why: 'You have unsaved changes.',
  stay: 'Keep editing',
  leave: 'Discard changes',
};

interface Taken {
  reserved: number;
  ticketsSold: number;
}

/** Why a ticket type can't be removed, and how far its quantity can be lowered; null if it can be removed. */
export function takenNote({ reserved, ticketsSold }: Taken): string | null {
  if (reserved === 0) return null;
  return `${formatCount(reserved)} ${reserved === ticketsSold ? 'sold' : 'sold or being bought'}. You can't go below that or remove this ticket.`;
}
