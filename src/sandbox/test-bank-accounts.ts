/**
 * Stripe's public test account numbers of US banks: a payment from one takes its time, and its outcome is known an hour
 * later. They are typed into the field for the card number.
 */

import { type Decline, digitsOf } from './test-cards.ts';

export interface TestBank {
  name: string;
  number: string;
  meaning: string;
  failure: Decline | null;
}

export const testBanks: readonly TestBank[] = [
  { name: 'bank-pays', number: '000123456789', meaning: 'Paid an hour later', failure: null },
  {
    name: 'bank-fails',
    number: '000111111116',
    meaning: 'Fails an hour later',
    failure: {
      code: 'account_closed',
      declineCode: null,
      message: "The customer's bank account has been closed.",
    },
  },
];

export const findTestBank = (number: string) => testBanks.find((bank) => bank.number === digitsOf(number));

export function testBankNamed(name: string): TestBank {
  const found = testBanks.find((bank) => bank.name === name);
  if (!found) throw new Error(`no test bank is called ${name}`);
  return found;
}
