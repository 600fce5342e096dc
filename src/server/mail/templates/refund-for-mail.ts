export interface RefundForMail {
  title: string;
  timezone: string;
  /** Null where a whole order goes back. */
  ticketName: string | null;
  confirmationNumber: string | null;
  cents: number;
  state: 'claimed' | 'sent' | 'refused' | 'restored' | 'failed';
  sendAfter: Date;
  /** Of the page that shows the refund; null for one that nobody asked for. */
  url: string | null;
}

/** The line below the event's title. */
export function ticketLine({ ticketName, confirmationNumber }: RefundForMail): string[] {
  return ticketName === null ? [] : [`${ticketName}, confirmation number ${confirmationNumber}`];
}
