/**
 * Reads what organizers and buyers are owed and what Stripe holds, and signs the total once a day. Only with `PUBLISH_FUNDS=1`.
 */
import { hash, randomBytes } from 'node:crypto';
import { type Leaf, rootOf, signedText } from '#domain/payouts/sum-tree.ts';
import type { Db } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  debtsOf,
  deleteLeaves,
  type EventWithMoney,
  eventsWithMoney,
  hasSnapshot,
  insertSnapshot,
  owedToBuyers,
  readingNow,
  saveReading,
} from './funds.sql.ts';
import { owedForEvents } from './owed.ts';
import { signFunds } from './sign-funds.ts';

const PAGE = 500;

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

export async function readFunds({
  db,
  balanceTransactions,
  appSecret,
  publishesFunds,
}: Pick<Deps, 'db' | 'balanceTransactions' | 'appSecret' | 'publishesFunds'>): Promise<void> {
  if (!publishesFunds) return deleteLeaves(db);
  const before = await readLiabilities(db);
  const balanceCents = await balanceTransactions.balance();
  const { now, day, leaves, ...after } = await readLiabilities(db);
  // A payout or refund between the readings left the balance already.
  await saveReading(db, {
    organizersCents: Math.min(before.organizersCents, after.organizersCents),
    buyersCents: Math.min(before.buyersCents, after.buyersCents),
    balanceCents,
    readAt: now,
  });
  if (await hasSnapshot(db, day)) return;
  const { hash: root, cents: totalCents } = rootOf(leaves, sha256);
  const signed = signFunds(appSecret, signedText({ day, root, totalCents }));
  await db.transaction().execute((tx) => insertSnapshot(tx, { day, root, owedCents: totalCents, ...signed }, leaves));
}

interface Liabilities {
  organizersCents: number;
  buyersCents: number;
  /** Of organizations that are owed something, in the order of the tree. */
  leaves: Leaf[];
  now: Date;
  day: string;
}

function readLiabilities(db: Db): Promise<Liabilities> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const owed = new Map<string, number>();
      let buyersCents = await owedToBuyers(tx);
      for (const [event, { organizerCents, buyersCents: refunds }] of await owedForAll(tx)) {
        owed.set(event.organizationId, (owed.get(event.organizationId) ?? 0) + organizerCents);
        buyersCents += refunds;
      }
      const debts = await debtsOf(tx);
      const leaves = [...new Set([...owed.keys(), ...debts.keys()])]
        .map((organizationId) => ({
          organizationId,
          nonce: randomBytes(16).toString('hex'),
          cents: afterDebt(owed.get(organizationId) ?? 0, debts.get(organizationId) ?? 0),
        }))
        .filter(({ cents }) => cents > 0)
        .sort((one, other) => (one.nonce < other.nonce ? -1 : 1));
      const organizersCents = leaves.reduce((sum, { cents }) => sum + cents, 0);
      return { organizersCents, buyersCents, leaves, ...(await readingNow(tx)) };
    });
}

/** Negative debt was deducted too much, and is owed like sales. */
export const afterDebt = (owedCents: number, debtCents: number): number => Math.max(0, owedCents - debtCents);

async function owedForAll(tx: Db) {
  const events = await eventsWithMoney(tx, {});
  const all: [EventWithMoney, ReturnType<Awaited<ReturnType<typeof owedForEvents>>>][] = [];
  for (let at = 0; at < events.length; at += PAGE) {
    const page = events.slice(at, at + PAGE);
    const owedFor = await owedForEvents(tx, page);
    all.push(...page.map((event): (typeof all)[number] => [event, owedFor(event)]));
  }
  return all;
}
