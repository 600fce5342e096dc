import type { CountedKind } from '#contract/app/action-items.ts';
import type { adminOverview } from '#contract/app/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { dollarsOf } from '#domain/money.ts';
import type { Deps } from '#server/platform/deps.ts';
import { actionItemCounts } from './action-items.sql.ts';
import { productCounts, unbalancedCents } from './admin.sql.ts';

type Overview = ReplyOf<typeof adminOverview>;

const COUNTED_AS: Record<CountedKind, keyof Overview['actionItems']> = {
  'order-reserved': 'orders',
  'order-needs-review': 'orders',
  'webhook-unprocessed': 'webhookEvents',
  'email-unsent': 'emails',
  'refund-unsent': 'refunds',
  'refund-refused': 'refunds',
  'refund-request-refused': 'refunds',
  'refund-failed': 'refunds',
  'refund-unsettled': 'refunds',
  'payout-unsent': 'payouts',
  'payout-rejected': 'payouts',
  'payout-awaiting-funds': 'payouts',
  'payout-awaiting-account': 'payouts',
  'return-unpaid': 'payouts',
  'reversal-unsettled': 'transferReversals',
  receivable: 'transferReversals',
  'receivable-disputed': 'transferReversals',
  'over-deducted': 'transferReversals',
  dispute: 'disputes',
  inquiry: 'disputes',
  discrepancy: 'discrepancies',
  'job-given-up': 'jobs',
  'check-in-objection': 'checkIns',
  'early-check-ins': 'checkIns',
};

/** Counts of the whole product, and of open action items. */
export async function readOverview({ db }: Pick<Deps, 'db'>): Promise<Overview> {
  const { grossCents, ...counts } = await productCounts(db);
  const actionItems: Overview['actionItems'] = {
    orders: 0,
    webhookEvents: 0,
    emails: 0,
    refunds: 0,
    payouts: 0,
    transferReversals: 0,
    disputes: 0,
    discrepancies: 0,
    jobs: 0,
    checkIns: 0,
  };
  for (const { kind, count } of await actionItemCounts(db)) actionItems[COUNTED_AS[kind]] += count;
  return { ...counts, gross: dollarsOf(grossCents), actionItems, ledgerDiscrepancyCents: await unbalancedCents(db) };
}
