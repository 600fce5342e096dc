import type { payoutAccountHolder } from '#contract/app/payouts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { AuditAction } from '#domain/accounts/audit-actions.ts';
import { type AccountChange, type AccountStatus, nextStanding, salesStopAt } from '#domain/accounts/payout-account.ts';
import { isAllowed } from '#domain/accounts/roles.ts';
import { RESTRICTED_SALES_HOURS } from '#domain/limits.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { lockOrganizationRow, ownersOf } from './organizations.sql.ts';
import {
  accountsRestrictedBefore,
  findPayoutAccount,
  findPayoutAccountById,
  findStanding,
  setPayoutAccountConfirmed,
  setRequestsPayouts,
  updateStanding,
} from './payout-accounts.sql.ts';
import { authorize } from './policies.ts';

const CACHE_MS = 10 * 60 * 1000;

const BATCH_SIZE = 100;

const ACTIONS: Record<AccountChange, AuditAction> = {
  restricted: 'restrict-payout-account',
  stopped: 'stop-paid-sales',
  closed: 'close-payout-account',
  restored: 'restore-payout-account',
};

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
    const status = await payoutAccounts.status(account.accountId);
    await recordAccountStatus(db, organizationId, status, now);
    return status === 'active';
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

/** Whether payouts are requested for the organization, each as soon as it can be. */
export async function setAutomaticPayouts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  isOn: boolean,
): Promise<void> {
  authorize(actor, 'payout.request');
  const { organizationId } = actor;
  await inTransaction(db, async (tx) => {
    const account = await findPayoutAccount(tx, organizationId);
    if (!account?.accountId) throw new AppError('payout-account.no-payout-account');
    await setRequestsPayouts(tx, organizationId, isOn);
    const subject = { subject: organizationId, params: { isOn }, at: clock.now() };
    await recordAuditEvent(tx, { action: 'change-automatic-payouts', by: actor, ...subject });
  });
}

/** `isOn` is null without an account. */
export async function automaticPayoutsOf({ db }: Pick<Deps, 'db'>, actor: Pick<Actor, 'organizationId' | 'role'>) {
  const account = await findPayoutAccount(db, actor.organizationId);
  const isOn = account?.accountId ? account.requestsPayouts : null;
  return { isOn, mayChange: isAllowed({ role: actor.role, onlyEventIds: null }, 'payout.request') };
}

/** Whether an owner has to look at the account before the next payout. */
export async function isPayoutAccountUnconfirmed({ db }: Pick<Deps, 'db'>, organizationId: string): Promise<boolean> {
  const account = await findPayoutAccount(db, organizationId);
  return Boolean(account?.accountId) && account?.confirmedAt === null;
}

/** Null while the account can receive money, and before it ever could. `stopAt`: when paid sales stop, or stopped. */
export async function accountTroubleOf({ db }: Pick<Deps, 'db'>, organizationId: string) {
  const { restrictedAt, closedAt, salesStoppedAt } = (await findStanding(db, organizationId)) ?? {};
  if (!restrictedAt) return null;
  const kind = closedAt ? ('closed' as const) : salesStoppedAt ? ('stopped' as const) : ('restricted' as const);
  return { kind, stopAt: salesStoppedAt ?? salesStopAt(restrictedAt) };
}

/** Reads the current status, because money is about to move. Returns the account ID. */
export async function requireActivePayoutAccount(
  { db, clock, payoutAccounts }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts'>,
  organizationId: string,
): Promise<string> {
  const account = await findPayoutAccount(db, organizationId);
  if (!account?.accountId) throw new AppError('payout-account.no-payout-account');
  if (!account.confirmedAt) throw new AppError('payout-account.unconfirmed');

  const status = await payoutAccounts.status(account.accountId);
  await recordAccountStatus(db, organizationId, status, clock.now());
  if (status !== 'active') throw new AppError('payout-account.no-payout-account');
  return account.accountId;
}

/** Handles a change reported by Stripe. True when the account can receive payouts. */
export async function syncPayoutAccount(
  { db, clock, payoutAccounts }: Pick<Deps, 'db' | 'clock' | 'payoutAccounts'>,
  accountId: string,
): Promise<boolean> {
  const account = await findPayoutAccountById(db, accountId);
  if (!account) return false;

  const status = await payoutAccounts.status(accountId);
  await recordAccountStatus(db, account.organizationId, status, clock.now());
  return status === 'active';
}

/** Asks Stripe once more before sales stop: the event that reported the end of a restriction may be lost. */
export async function stopRestrictedSales(deps: Pick<Deps, 'db' | 'clock' | 'payoutAccounts' | 'log'>): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - RESTRICTED_SALES_HOURS * 60 * 60 * 1000);
  for (const accountId of await accountsRestrictedBefore(deps.db, since, BATCH_SIZE)) {
    try {
      await syncPayoutAccount(deps, accountId);
    } catch (error) {
      // One unreadable account must not block the others.
      deps.log.warn({ err: error, accountId }, 'could not read a restricted payout account');
    }
  }
}

/** Locks the organization, so that an event created at the same time sees the stop, or is seen by the job. */
async function recordAccountStatus(db: Db, organizationId: string, status: AccountStatus, at: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockOrganizationRow(tx, organizationId))) return;
    const before = await findStanding(tx, organizationId);
    if (!before) return;
    const { standing, change } = nextStanding(before, status, at);
    await updateStanding(tx, organizationId, standing, at);
    if (change) await recordChange(tx, organizationId, change, at);
    const isStopped = standing.salesStoppedAt !== null;
    if (isStopped !== (before.salesStoppedAt !== null)) await enqueue(tx, 'brake-events', { organizationId });
  });
}

async function recordChange(tx: Db, organizationId: string, change: AccountChange, at: Date): Promise<void> {
  await recordAuditEvent(tx, { action: ACTIONS[change], organizationId, subject: organizationId, at });
  const occasion = newId();
  for (const { userId: accountId, email: toAddress } of await ownersOf(tx, organizationId)) {
    const subjectId = `${occasion} ${accountId}`;
    await queueEmail(tx, {
      kind: 'payout-account-restricted',
      subjectId,
      params: { change },
      accountId,
      toAddress,
      now: at,
    });
  }
}
