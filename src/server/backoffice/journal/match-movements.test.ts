import { describe, expect, it } from 'vitest';
import type { Movement, StripeMovement } from './journal.sql.ts';
import { matchMovements } from './match-movements.ts';

const at = new Date('2026-06-12T20:00:00Z');
const ours = (transactionId: string, kind: Movement['kind'], cents: number, subject = 'pi_1'): Movement => ({
  subject,
  transactionId,
  kind,
  cents,
});
const theirs = (id: string, cents: number, subject = 'pi_1'): StripeMovement => ({
  id,
  subject,
  isTransfer: subject.startsWith('tr_'),
  cents,
  at,
});

/** The ledger's transactions with Stripe's id, and Stripe's ids without one. */
function matched(movements: Movement[], atStripe: StripeMovement[]) {
  const { stripeIds, unknown } = matchMovements(movements, atStripe);
  return { ...Object.fromEntries(stripeIds), unknown: unknown.map(({ id }) => id) };
}

describe('A movement and its balance transaction', () => {
  it.each<[string, Movement[], StripeMovement[], object]>([
    [
      'a charge and its fee are one at Stripe',
      [ours('sale', 'sale', 24_00), ours('fee', 'card-fee', -1_00)],
      [theirs('txn_1', 23_00)],
      { sale: 'txn_1', fee: 'txn_1', unknown: [] },
    ],
    [
      'a charge whose fee is not known yet has none',
      [ours('sale', 'sale', 24_00)],
      [theirs('txn_1', 23_00)],
      { unknown: ['txn_1'] },
    ],
    [
      'of equal refunds, the older has the older one',
      [ours('one', 'refund-moved', -5_00), ours('other', 'external-refund', -5_00)],
      [theirs('txn_1', -5_00), theirs('txn_2', -5_00)],
      { one: 'txn_1', other: 'txn_2', unknown: [] },
    ],
    [
      'an equal amount of another payment or transfer is another',
      [ours('here', 'refund-moved', -5_00), ours('there', 'payout', -5_00, 'tr_1')],
      [theirs('txn_2', -5_00, 'tr_1')],
      { there: 'txn_2', unknown: [] },
    ],
    [
      'another amount matches neither',
      [ours('opened', 'dispute-opened', -39_00)],
      [theirs('txn_1', -38_00)],
      { unknown: ['txn_1'] },
    ],
    ['what the ledger lacks is unknown', [], [theirs('txn_1', -5_00)], { unknown: ['txn_1'] }],
  ])('%s [JOURNAL-1]', (_name, movements, atStripe, expected) => {
    expect(matched(movements, atStripe)).toEqual(expected);
  });
});
