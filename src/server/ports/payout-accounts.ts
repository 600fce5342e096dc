/** The organizers' own accounts with the card company, where payouts arrive. */
export interface PayoutAccounts {
  /** Safe to repeat: one organizer has one account. */
  open(organizer: {
    userId: string;
    email: string;
    organizationName: string;
    organizationType: 'individual' | 'company';
  }): Promise<{ accountId: string }>;
  /** A link that works once, for a few minutes: made on click, never kept. */
  onboardingLink(accountId: string): Promise<{ url: string }>;
  /** `null` while the account has not been through onboarding. */
  dashboardLink(accountId: string): Promise<{ url: string } | null>;
  /** Whether payouts can be transferred to it right now. */
  isActive(accountId: string): Promise<boolean>;
  /** Moves an event's money to its organizer. Safe to repeat: the same payout and attempt never moves money twice. */
  transfer(payout: Transfer): Promise<TransferAnswer>;
  /** Takes money of a transfer back. Safe to repeat: the same recovery and attempt never move money twice. */
  reverse(reversal: Reversal): Promise<ReversalAnswer>;
}

export interface Transfer {
  payoutId: string;
  eventId: string;
  accountId: string;
  cents: number;
  /** 1 at first, and one more after each clear no: the card company repeats an answer that it has given to a key. */
  attempt: number;
  /** The event's payouts in our books. Where the card company has a transfer for another one, no money moves. */
  knownPayouts: readonly string[];
}

/**
 * `insufficient-funds`: card payments take days until they can be moved. `account-not-ready`: the organizer's account
 * cannot take money, or is closed. Words are for the operator.
 */
export type TransferAnswer =
  | { transferId: string; refusal: null }
  | { refusal: { reason: 'insufficient-funds' | 'account-not-ready' | 'other'; words: string } };

export interface Reversal {
  recoveryId: string;
  transferId: string;
  cents: number;
  attempt: number;
  /** As of a transfer. */
  maybeSent: boolean;
}

/** A refusal means that the account is empty or gone: the money has to be asked for in another way. */
export type ReversalAnswer = { reversalId: string; refusal: null } | { refusal: { words: string } };
