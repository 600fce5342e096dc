/** Counts what may only be done so often: wrong guesses of a secret, and calls that create something. */
export interface Tries {
  /**
   * Takes one from a budget. Answers the seconds to wait once the budget is used up, and `null` until then.
   * A key is made of parts with spaces between them; an IPv6 address among them counts as its network.
   */
  spend(budget: Budget, key: string): Promise<number | null>;
}

export type Budget =
  /** Wrong log-ins, by address of the caller and e-mail. */
  | 'login'
  /** Wrong log-ins, by address of the caller. */
  | 'login-address'
  /** Wrong attendant codes, by address of the caller and event. */
  | 'attendant-code'
  /** Wrong attendant codes, by event. */
  | 'attendant-code-event'
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
  /** Wrong confirmation numbers on the refund form, by address of the caller. */
  | 'refund-code'
  /** Wrong confirmation numbers on the refund form, by event. */
  | 'refund-code-event'
  /** Checkouts opened, by address of the caller. */
  | 'checkout'
  /** Places taken in waiting rooms, by address of the caller. */
  | 'waiting-room';
