import type { payoutAccountHolder } from '#contract/app/payouts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import {
  findPayoutAccount,
  findPayoutAccountById,
  recordPayoutStatus,
  setPayoutAccountConfirmed,
} from './payout-accounts.sql.ts';
import { authorize } from './policies.ts';

const CACHE_MS = 10 * 60 * 1000;

/**
 * Whether the account can receive payouts. Caches only `true`: an organizer who returns from onboarding is waiting for
 * `false` to change.
 */
export async function refreshPayoutAccount(
  {
    db,
    clock,
    payoutAccounts,
    rateLimiter,
    log,
  }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'rateLimiter' | 'log'>,
  organizationId: string,
): Promise<boolean> {
  const account = await findPayoutAccount(db, organizationId);
  if (!account?.accountId) return false;

  const now = clock.now();
  const age = now.getTime() - account.readAt.getTime();
  if (account.isActive && age < CACHE_MS) return true;

  // Reloading the profile in a loop must not exhaust the Stripe rate limit we all share.
  if ((await rateLimiter.consume('payout-account', organizationId)) !== null) return account.isActive;

  try {
    const isActive = await payoutAccounts.isActive(account.accountId);
    await recordPayoutStatus(db, organizationId, isActive, now);
    return isActive;
  } catch (error) {
    // The profile still loads with the last known status.
    if (!(error instanceof ProcessorUnreachable || error instanceof ProcessorDenied)) throw error;
    log.warn({ err: error, organizationId }, 'failed to refresh the payout account; using the last known status');
    return account.isActive;
  }
}

/** The status last read from Stripe. */
export async function hasActivePayoutAccount({ db }: Pick<Deps, 'db'>, organizationId: string): Promise<boolean> {
  const account = await findPayoutAccount(db, organizationId);
  return account?.isActive ?? false;
}

/** Who would be paid, for an owner to confirm after the password was reset by email. */
export async function readPayoutAccountHolder(
  { db, payoutAccounts }: Pick<Deps, 'db' | 'payoutAccounts'>,
  actor: Actor,
): Promise<ReplyOf<typeof payoutAccountHolder>> {
  authorize(actor, 'payout-account.manage');
  const account = await findPayoutAccount(db, actor.organizationId);
  if (!account?.accountId) throw new AppError('payout-account.no-payout-account');
  return payoutAccounts.holder(account.accountId);
}

export async function confirmPayoutAccount({ db, clock }: Pick<Deps, 'db' | 'clock'>, actor: Actor): Promise<void> {
  authorize(actor, 'payout-account.manage');
  const { organizationId } = actor;
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    await setPayoutAccountConfirmed(tx, organizationId, at);
    await recordAuditEvent(tx, { action: 'confirm-payout-account', by: actor, subject: organizationId, at });
  });
}

/** Whether an owner has to look at the account before the next payout. */
export async function isPayoutAccountUnconfirmed({ db }: Pick<Deps, 'db'>, organizationId: string): Promise<boolean> {
  const account = await findPayoutAccount(db, organizationId);
  return Boolean(account?.accountId) && account?.confirmedAt === null;
}

/** Reads the current status, because money is about to move. Returns the account ID. */
export async function requireActivePayoutAccount(
  { db, clock, payoutAccounts }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts'>,
  organizationId: string,
): Promise<string> {
  const account = await findPayoutAccount(db, organizationId);
  if (!account?.accountId) throw new AppError('payout-account.no-payout-account');
  if (!account.confirmedAt) throw new AppError('payout-account.unconfirmed');

  const isActive = await payoutAccounts.isActive(account.accountId);
  await recordPayoutStatus(db, organizationId, isActive, clock.now());
  if (!isActive) throw new AppError('payout-account.no-payout-account');
  return account.accountId;
}

/** Handles a change reported by Stripe. True when the account can receive payouts. */
export async function syncPayoutAccount(
  { db, clock, payoutAccounts }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts'>,
  accountId: string,
): Promise<boolean> {
  const account = await findPayoutAccountById(db, accountId);
  if (!account) return false;

  const isActive = await payoutAccounts.isActive(accountId);
  await recordPayoutStatus(db, account.organizationId, isActive, clock.now());
  return isActive;
}
