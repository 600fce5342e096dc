import { payoutErrors } from '#contract/payouts.ts';
import { conflict } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { findPayoutAccount, findPayoutAccountById, recordReading } from './payout-accounts.sql.ts';

const GOOD_FOR = 10 * 60 * 1000;

/**
 * Whether payouts can arrive, asked anew unless it was true a moment ago. An organizer who comes back from
 * onboarding is waiting for this very change, so a "no" is never good for later.
 */
export async function refreshPayoutAccount(
  { db, clock, payoutAccounts, tries, log }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'tries' | 'log'>,
  userId: string,
): Promise<boolean> {
  const account = await findPayoutAccount(db, userId);
  if (!account?.accountId) return false;

  const now = clock.now();
  const age = now.getTime() - account.readAt.getTime();
  if (account.isActive && age < GOOD_FOR) return true;

  // Whoever reloads the profile without end would use up the card company's patience with all of us.
  if ((await tries.spend('payout-account', userId)) !== null) return account.isActive;

  try {
    const isActive = await payoutAccounts.isActive(account.accountId);
    await recordReading(db, userId, isActive, now);
    return isActive;
  } catch (error) {
    // The profile is worth more than this one line of it: what we knew stands until the card company answers.
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    log.warn({ err: error, userId }, 'payout account could not be read');
    return account.isActive;
  }
}

/** As the card company last said. */
export async function hasActivePayoutAccount({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  const account = await findPayoutAccount(db, userId);
  return account?.isActive ?? false;
}

/** Asked right before money moves: what the account was a while ago is not enough. Answers the account's id. */
export async function requireActivePayoutAccount(
  { db, clock, payoutAccounts }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts'>,
  userId: string,
): Promise<string> {
  const account = await findPayoutAccount(db, userId);
  if (!account?.accountId) throw conflict(payoutErrors['no-payout-account']);

  const isActive = await payoutAccounts.isActive(account.accountId);
  await recordReading(db, userId, isActive, clock.now());
  if (!isActive) throw conflict(payoutErrors['no-payout-account']);
  return account.accountId;
}

/** Reads an account again that Stripe says has changed. True when payouts can arrive there. */
export async function rereadPayoutAccount(
  { db, clock, payoutAccounts }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts'>,
  accountId: string,
): Promise<boolean> {
  const account = await findPayoutAccountById(db, accountId);
  if (!account) return false;

  const isActive = await payoutAccounts.isActive(accountId);
  await recordReading(db, account.userId, isActive, clock.now());
  return isActive;
}
