/** Rate limits for failed attempts at secrets and for calls that create something. */
export interface RateLimiter {
  /**
   * Consumes one point. Returns `null`, or the seconds to wait once the limit is reached. A key consists of parts separated by
   * spaces; an IPv6 address counts as its /64 network.
   */
  consume(limit: RateLimit, key: string): Promise<number | null>;

  /** What is left of a limit that is counted in memory; null for others, and while limits are off. */
  standing(limit: RateLimit, key: string): RateStanding | null;

  /** Releases the point of an attempt that was counted before it succeeded. */
  release(limit: RateLimit, key: string): Promise<void>;

  /** Whether a limit is known to be reached, so that `waitForSlot` delays the attempts. */
  isLimited(attempts: readonly Attempt[]): boolean;

  /**
   * Resolves to `null` when the attempt may proceed: at once while no limit is known to be reached, afterwards serialized and
   * delayed. Resolves to the seconds to wait if the queue is full.
   */
  waitForSlot(attempts: readonly Attempt[]): Promise<number | null>;

  /** The seconds that `waitForSlot` would return for a full queue, without joining it. */
  retryAfter(attempts: readonly Attempt[]): number | null;
}

export interface RateStanding {
  /** Points of a window. */
  points: number;
  /** Length of a window. */
  seconds: number;
  left: number;
  /** Until the window ends. */
  resetSeconds: number;
}

/** A failed attempt counts against `limit` under `key`. */
export interface Attempt {
  limit: RateLimit;
  key: string;
  /** Key of the queue once the limit is reached, if narrower than `key`: strangers must not fill each other's queue. */
  queueKey?: string;
}

export type RateLimit =
  /** Failed log-ins, by IP address and email. */
  | 'login'
  /** Failed log-ins, by IP address. */
  | 'login-address'
  /** Failed log-ins, by email. */
  | 'login-account'
  /** Failed log-ins of a day, by email: from then on a new browser needs more than the password. */
  | 'login-account-day'
  /** Failed log-ins of a day, by email and by IP address: from then on no password of a new browser is judged. */
  | 'login-account-cap'
  | 'login-address-cap'
  /** Codes of a second factor, right or wrong, by person. */
  | 'factor-code'
  /** Logins with a passkey alone, by IP address. */
  | 'passkey-login'
  /** Wrong attendant codes, by IP address and event. */
  | 'attendant-code'
  /** Wrong attendant codes, by event. */
  | 'attendant-code-event'
  /** Unknown confirmation numbers and scans at check-in, by grant. */
  | 'check-in-code'
  /** Ticket searches by the last digits: by grant, and by event. */
  | 'find-ticket'
  | 'find-ticket-event'
  /** Guest searches by name: by device, and by event. */
  | 'find-guest'
  | 'find-guest-event'
  /** Batches of synced scans, by grant. */
  | 'sync-scans'
  /** Reports of events, by network; and by event. */
  | 'report-event'
  | 'report-event-event'
  /** Changes of an organization's page, and of its address. */
  | 'edit-page'
  | 'change-slug'
  /** Messages to organizers: of visitors by network, address and event, and of buyers by order. */
  | 'contact'
  | 'contact-sender'
  | 'contact-event'
  | 'contact-order'
  /** Invalid or expired links from emails, by IP address. */
  | 'emailed-link'
  /** Sign-ups, by IP address. */
  | 'register'
  /** Resent verification emails, by organizer. */
  | 'resend-verification'
  /** Requests for password reset links, by email. */
  | 'forgot-password'
  /** Requests for password reset links, by IP address. */
  | 'forgot-password-address'
  /** Invitations to a team, by organization. */
  | 'invite'
  /** Requested email changes, by organizer. */
  | 'change-email'
  /** Emails with all tickets of an order, by order. */
  | 'resend-order'
  /** Tickets of an order as a PDF, by order. */
  | 'order-details'
  | 'tickets-pdf'
  /** Tickets for wallets, by order. */
  | 'wallet-pass'
  /** Calls of Apple's phones: about a pass, by pass; the list of a phone and its reports, by IP address. */
  | 'wallet-service'
  | 'wallet-list'
  | 'wallet-log'
  /** Transferred tickets, by order; and by IP address. */
  | 'transfer-ticket'
  | 'transfer-ticket-address'
  /** Corrected addresses of orders, by organization. */
  | 'correct-email'
  /** Resent tickets, by ticket. */
  | 'resend-ticket'
  /** Requests that add guests at no charge, by organization. */
  | 'add-comps'
  /** Files of guests, previews included, by organization. */
  | 'import-guests'
  /** Resent tickets, by event. */
  | 'resend-ticket-event'
  /** Saves of account information, by organizer. */
  | 'save-account-info'
  /** Created events, by organizer. */
  | 'create-event'
  | 'preview-dates'
  | 'preview-event'
  /** Cancelled events, by organizer. */
  | 'cancel-event'
  | 'edit-series'
  /** Geocoded addresses, by organizer: per minute, and per day. */
  | 'look-up-address'
  | 'look-up-address-day'
  /** Photo uploads, by organizer. */
  | 'add-photos'
  /** Requested payouts, by organizer. */
  | 'request-payout'
  /** Links to Stripe's pages, by organizer. */
  | 'payout-link'
  /** Stripe lookups of an account that is not ready, by organizer. */
  | 'payout-account'
  /** Wrong promo codes: by IP address and event, and by event. */
  | 'promo-code'
  | 'promo-code-event'
  /** Emailed codes of free orders, by network. */
  | 'order-code'
  /** Wrong confirmation numbers on the refund form, by IP address. */
  | 'refund-code'
  /** Wrong confirmation numbers on the refund form, by event. */
  | 'refund-code-event'
  /** Requests for the links of tickets, by email; and by IP address. */
  | 'my-tickets'
  | 'my-tickets-address'
  /** Requests for links to personal records, by email. */
  | 'records-link'
  /** Requests for links to personal records, by IP address. */
  | 'records-link-address'
  /** Wrong API keys, by IP address. */
  | 'api-key'
  /** Requests with an API key, by key. */
  | 'api-request'
  /** Exports of personal records, by organizer. */
  | 'export-records'
  /** Downloads of guest lists, by person. */
  | 'export-guests'
  /** Downloads of journals, by person. */
  | 'export-journal'
  /** Downloads of an event's other files, by person. */
  | 'export-files'
  /** Tests of webhooks and deliveries sent again, by organization. */
  | 'webhook-by-hand'
  /** Deleted organizations, by person. */
  | 'delete-organization'
  /** Opened checkouts, by IP address. */
  | 'checkout'
  /** Waiting-room passes, by IP address. */
  | 'waiting-room';
