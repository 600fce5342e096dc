/** What an organization may sell while Stripe reports that its payout account can't receive money. */
import { RESTRICTED_SALES_HOURS } from '#domain/limits.ts';

/** As the payment processor reports it. */
export type AccountStatus = 'active' | 'restricted' | 'closed';

export interface AccountStanding {
  isActive: boolean;
  /** Since when an account that was active can't receive money; null while it can, and before it ever could. */
  restrictedAt: Date | null;
  closedAt: Date | null;
  /** Since when no paid ticket is sold. */
  salesStoppedAt: Date | null;
}

/** What the owner is emailed. `stopped`: the restriction has lasted too long. */
export const accountChanges = ['restricted', 'stopped', 'closed', 'restored'] as const;

export type AccountChange = (typeof accountChanges)[number];

const HOUR = 60 * 60 * 1000;

export const salesStopAt = (restrictedAt: Date): Date =>
  new Date(restrictedAt.getTime() + RESTRICTED_SALES_HOURS * HOUR);

/** An account that was never active has sold nothing, so its onboarding is no news. */
export function nextStanding(
  before: AccountStanding,
  status: AccountStatus,
  now: Date,
): { standing: AccountStanding; change: AccountChange | null } {
  if (status === 'active') {
    const standing = { isActive: true, restrictedAt: null, closedAt: null, salesStoppedAt: null };
    return { standing, change: before.restrictedAt || before.closedAt ? 'restored' : null };
  }
  const restrictedAt = before.restrictedAt ?? (before.isActive ? now : null);
  const isClosed = status === 'closed' && restrictedAt !== null;
  const isOver = restrictedAt !== null && now >= salesStopAt(restrictedAt);
  const standing = {
    isActive: false,
    restrictedAt,
    closedAt: before.closedAt ?? (isClosed ? now : null),
    salesStoppedAt: before.salesStoppedAt ?? (isClosed || isOver ? now : null),
  };
  return { standing, change: changeBetween(before, standing) };
}

function changeBetween(before: AccountStanding, after: AccountStanding): AccountChange | null {
  if (after.closedAt && !before.closedAt) return 'closed';
  if (after.salesStoppedAt && !before.salesStoppedAt) return 'stopped';
  return after.restrictedAt && !before.restrictedAt ? 'restricted' : null;
}
