import type { adminMoney } from '#contract/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { LedgerAccount } from '#server/platform/schema.ts';
import { accountBalances, balanceComparison } from './admin.sql.ts';

/** Where the money is, by our books and by the card company's. What is owed to somebody is positive. */
export async function readMoney({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminMoney>> {
  const balances = await accountBalances(db);
  const { oursCents, otherCents, reconciledAt, openDifferences } = await balanceComparison(db);
  const on = (account: LedgerAccount) => balances.get(account) ?? 0;
  // Subtracted from 0: the negative of nothing would be -0.
  const owed = (account: LedgerAccount) => 0 - on(account);
  const costs = on('card-fees') + on('dispute-costs') + on('write-offs');
  return {
    clearing: on('processor'),
    provider: oursCents,
    providerOther: otherCents,
    organizers: owed('organizer-payable'),
    buyers: owed('owed-to-buyers'),
    receivables: on('receivables'),
    disputed: on('disputed'),
    platformFees: owed('platform-fees'),
    cardFees: on('card-fees'),
    disputeCosts: on('dispute-costs'),
    writeOffs: on('write-offs'),
    margin: owed('platform-fees') - costs,
    reconciledAt: reconciledAt?.toISOString() ?? null,
    openDifferences,
  };
}
