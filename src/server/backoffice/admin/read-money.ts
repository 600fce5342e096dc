import type { adminMoney } from '#contract/app/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { LedgerAccount } from '#server/platform/schema/ledger.ts';
import { accountBalances, balanceComparison } from './admin.sql.ts';

/** Balances in the ledger and at Stripe. Liabilities are positive. */
export async function readMoney({ db }: Pick<Deps, 'db'>): Promise<ReplyOf<typeof adminMoney>> {
  const balances = await accountBalances(db);
  const { oursCents, otherCents, reconciledAt, openDiscrepancies } = await balanceComparison(db);
  const balanceOf = (account: LedgerAccount) => balances.get(account) ?? 0;
  // Subtracts from 0, because negating 0 yields -0.
  const liabilityOf = (account: LedgerAccount) => 0 - balanceOf(account);
  const costs = balanceOf('card-fees') + balanceOf('dispute-costs') + balanceOf('write-offs');
  return {
    clearing: balanceOf('processor'),
    provider: oursCents,
    providerOther: otherCents,
    organizers: liabilityOf('organizer-payable'),
    buyers: liabilityOf('owed-to-buyers'),
    receivables: balanceOf('receivables'),
    disputed: balanceOf('disputed'),
    platformFees: liabilityOf('platform-fees'),
    cardFees: balanceOf('card-fees'),
    disputeCosts: balanceOf('dispute-costs'),
    writeOffs: balanceOf('write-offs'),
    margin: liabilityOf('platform-fees') - costs,
    reconciledAt: reconciledAt?.toISOString() ?? null,
    openDiscrepancies,
  };
}
