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
  /** 1 at first, and one more after each final answer: the card company repeats what it has answered to a key. */
  attempt: number;
  /**
   * The event's payouts in our books, asked after the card company's list was read. Where that has a transfer for another
   * one, no money moves, unless all of it was taken back.
   */
  knownPayouts: () => Promise<readonly string[]>;
}

/**
 * `insufficient-funds`: card payments take days until they can be moved. `account-not-ready`: the organizer's account
 * cannot take money, or is closed. Words are for the operator. `repeated`: it is its answer to an earlier call of this attempt, of
 * which therefore nothing is under way. `none`: it was not asked, by what stands in its list.
 */
export type TransferAnswer =
  | { transferId: string; refusal: null }
  | {
      refusal: {
        reason: 'insufficient-funds' | 'account-not-ready' | 'other';
        words: string;
        answer: 'first' | 'repeated' | 'none';
      };
    };

export interface Reversal {
  recoveryId: string;
  transferId: string;
  cents: number;
  attempt: number;
  /** What makes it necessary, by the card company's own id: a reversal of as much for the same is this one. */
  cause: string;
  /**
   * The recoveries of this transfer in our books, and their reversals, asked after the card company's list was read.
   * Where that has a reversal for another one, no money moves.
   */
  knownReversals: () => Promise<readonly string[]>;
}

/**
 * A refusal means that the account is empty or gone: the money has to be asked for in another way. `forgotten`: it may
 * have come back already, so it is asked for in no way before a person has looked.
 */
export type ReversalAnswer =
  | { reversalId: string; refusal: null }
  | { refusal: { reason: 'refused' | 'forgotten'; words: string } };
