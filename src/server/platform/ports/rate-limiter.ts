/** Counts what may only be done so often: wrong guesses of a secret, and calls that create something. */
export interface RateLimiter {
  /**
   * Takes one from a budget. Answers the seconds to wait once the budget is used up, and `null` until then.
   * A key is made of parts with spaces between them; an IPv6 address among them counts as its network.
   */
  spend(budget: RateLimit, key: string): Promise<number | null>;

  /**
   * Resolves to `null` when somebody may try: at once while none of the budgets is known to be used up, and then in turn, at a
   * slow pace. Answers the seconds after which to come back when too many wait in the same line.
   */
  takeTurn(guesses: readonly Attempt[]): Promise<number | null>;

  /** The same seconds, and at once, without waiting: for what must be looked up before it is known whose turn it is. */
  fullLine(guesses: readonly Attempt[]): number | null;
}

/** Whose failure counts against which budget. */
export interface Attempt {
  budget: RateLimit;
  key: string;
  /** Who waits behind one another once the budget is used up, if not all that it counts: strangers must not fill the line of others. */
  line?: string;
}

export type RateLimit =
  /** Wrong log-ins, by address of the caller and e-mail. */
  | 'login'
  /** Wrong log-ins, by address of the caller. */
  | 'login-address'
  /** Wrong log-ins, by e-mail, wherever they come from. */
  | 'login-account'
  /** Wrong attendant codes, by address of the caller and event. */
  | 'attendant-code'
  /** Wrong attendant codes, by event. */
  | 'attendant-code-event'
  /** Confirmation numbers and scans at the door that there are not, by grant. */
  | 'door-code'
  /** Searches for tickets by the end of their numbers: by grant, and by event. */
  | 'find-ticket'
  | 'find-ticket-event'
  /** Scans handed in, in batches, by grant. */
  | 'hand-in'
  /** Wrong or old links in mails, by address of the caller. */
  | 'mailed-link'
  /** Sign-ups, by address of the caller. */
  | 'register'
  /** Verification mails sent again, by organizer. */
  | 'resend-verification'
  /** Links to reset a password, by e-mail. */
  | 'forgot-password'
  /** Links to reset a password, by address of the caller. */
  | 'forgot-password-address'
  /** Changes of the e-mail asked for, by organizer. */
  | 'change-email'
  /** A ticket mailed again, by organizer and ticket. */
  | 'resend-ticket'
  /** Tickets mailed again, by event. */
  | 'resend-ticket-event'
  /** Account information saved, by organizer. */
  | 'save-account-info'
  /** Events created, by organizer. */
  | 'create-event'
  /** Events called off, by organizer. */
  | 'cancel-event'
  /** Addresses looked up, by organizer: in a minute, and in a day. */
  | 'look-up-address'
  | 'look-up-address-day'
  /** Uploads of photos, by organizer. */
  | 'add-photos'
  /** Payouts asked for, by organizer. */
  | 'request-payout'
  /** Links to the card company's pages, by organizer. */
  | 'payout-link'
  /** Questions to the card company about an account that is not ready, by organizer. */
  | 'payout-account'
  /** Wrong confirmation numbers on the refund form, by address of the caller. */
  | 'refund-code'
  /** Wrong confirmation numbers on the refund form, by event. */
  | 'refund-code-event'
  /** Links to one's own records, by e-mail. */
  | 'records-link'
  /** Links to one's own records, by address of the caller. */
  | 'records-link-address'
  /** Files of one's own records, by organizer. */
  | 'export-records'
  /** Checkouts opened, by address of the caller. */
  | 'checkout'
  /** Places taken in waiting rooms, by address of the caller. */
  | 'waiting-room';
