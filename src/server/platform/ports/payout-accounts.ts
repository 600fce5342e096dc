import type { AccountStatus } from '#domain/accounts/payout-account.ts';

/** The organizations' connected accounts, which receive the payouts. */
export interface PayoutAccounts {
  /** Idempotent: one account per organization. */
  open(organization: {
    organizationId: string;
    email: string;
    organizationName: string;
    organizationType: 'individual' | 'company';
  }): Promise<{ accountId: string }>;
  /** A single-use link that expires within minutes, so it is created on click and never stored. */
  onboardingLink(accountId: string): Promise<{ url: string }>;
  /** `null` before the account is onboarded. */
  dashboardLink(accountId: string): Promise<{ url: string } | null>;
  /** Whether it can receive transfers now: active, restricted until its holder does something, or closed for good. */
  status(accountId: string): Promise<AccountStatus>;
  /** Who is paid, and where: the name and the last digits of the bank account. */
  holder(accountId: string): Promise<{ name: string | null; bankLast4: string | null }>;
  /** Transfers an event's proceeds to its organization. Idempotent per payout and attempt. */
  transfer(payout: Transfer): Promise<TransferAnswer>;
  /** Reverses part of a transfer. Idempotent per reversal and attempt. */
  reverse(reversal: Reversal): Promise<ReversalAnswer>;
}

export interface Transfer {
  payoutId: string;
  eventId: string;
  accountId: string;
  cents: number;
  /** Starts at 1 and increases after each final answer, because the processor replays the answer to a key. */
  attempt: number;
  /**
   * Ids of the event's payouts in our books, read after the processor's list. A transfer for an unknown payout blocks this
   * one, unless it was fully reversed.
   */
  knownPayouts: () => Promise<readonly string[]>;
}

/**
 * `insufficient-funds`: card payments take days to become available. `account-not-ready`: the organizer's account cannot
 * receive transfers, or is closed. The text is for the operator. `answer` says whether the processor gave a first answer,
 * repeated a stored one (so no call of this attempt is in progress), or was not called because of what its list shows (`none`).
 */
export type TransferAnswer =
  | { transferId: string; denial: null }
  | {
      denial: {
        reason: 'insufficient-funds' | 'account-not-ready' | 'other';
        message: string;
        answer: 'first' | 'repeated' | 'none';
      };
    };

export interface Reversal {
  reversalId: string;
  transferId: string;
  cents: number;
  attempt: number;
  /** The processor's id of the cause. A reversal of the same amount with the same cause is this one. */
  cause: string;
  /** The transfer's reversals in our books, read after the processor's list. A reversal unknown to us blocks this one. */
  knownReversals: () => Promise<readonly string[]>;
}

/**
 * `refused`: the account is empty or closed, so the money has to be recovered in another way. `forgotten`: it may already have
 * been recovered, which the operator must check first.
 */
export type ReversalAnswer =
  | { reversalId: string; denial: null }
  | { denial: { reason: 'refused' | 'forgotten'; message: string } };
