import type { adminOverview } from '#contract/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { ActionItemKind } from '#contract/stuck.ts';
import { dollarsOf } from '#domain/money.ts';
import type { Deps } from '#server/platform/deps.ts';
import { actionItemCounts } from './action-items.sql.ts';
import { productCounts, unbalancedCents } from './admin.sql.ts';

type Overview = ReplyOf<typeof adminOverview>;

const COUNTED_AS: Record<ActionItemKind, keyof Overview['stuck']> = {
  'order-held': 'orders',
  'order-quarantined': 'orders',
  'notice-unread': 'notices',
  'mail-unsent': 'mails',
  'refund-unsent': 'refunds',
  'refund-refused': 'refunds',
  'refund-request-refused': 'refunds',
  'refund-failed': 'refunds',
  'refund-unsettled': 'refunds',
  'payout-unsent': 'payouts',
  'payout-refused': 'payouts',
  'payout-awaiting-funds': 'payouts',
  'payout-awaiting-account': 'payouts',
  'return-unpaid': 'payouts',
  'recovery-unsettled': 'recoveries',
  receivable: 'recoveries',
  'receivable-disputed': 'recoveries',
  'kept-too-much': 'recoveries',
  dispute: 'disputes',
  inquiry: 'disputes',
  difference: 'differences',
  'job-given-up': 'jobs',
};

/** Counts of the whole product, and of open action items. */
export async function readOverview({ db }: Pick<Deps, 'db'>): Promise<Overview> {
  const { grossCents, ...counts } = await productCounts(db);
  const stuck: Overview['stuck'] = {
    orders: 0,
    notices: 0,
    mails: 0,
    refunds: 0,
    payouts: 0,
    recoveries: 0,
    disputes: 0,
    differences: 0,
    jobs: 0,
  };
  for (const { kind, count } of await actionItemCounts(db)) stuck[COUNTED_AS[kind]] += count;
  return { ...counts, gross: dollarsOf(grossCents), stuck, ledgerDifferenceCents: await unbalancedCents(db) };
}
