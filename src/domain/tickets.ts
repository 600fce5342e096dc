export type TicketState = 'valid' | 'scanned' | 'refunding' | 'refunded' | 'void';

/** States of tickets that count as sold: their guests can come, or came. */
export const SOLD_STATES = ['valid', 'scanned'] as const satisfies readonly TicketState[];
