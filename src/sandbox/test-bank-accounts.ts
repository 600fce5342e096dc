/**
 * Stripe's public test account numbers of US banks: a payment from one takes its time, and its outcome is known an hour
 * later. They are typed into the field for the card number.
 */

import { type Decline, digitsOf } from './test-cards.ts';

export interface TestBankAccount {
  name: string;
  number: string;
  description: string;
  failure: Decline | null;
}

export const testBankAccounts: readonly TestBankAccount[] = [
  { name: 'bank-pays', number: '000123456789', description: 'Paid an hour later', failure: null },
  {
    name: 'bank-fails',
    number: '000111111116',
    description: 'Fails an hour later',
    failure: {
      code: 'account_closed',
      declineCode: null,
      message: "The customer's bank account has been closed.",
    },
  },
];

export const findTestBankAccount = (number: string) =>
  testBankAccounts.find((bank) => bank.number === digitsOf(number));

export function testBankAccountNamed(name: string): TestBankAccount {
  const found = testBankAccounts.find((bank) => bank.name === name);
  if (!found) throw new Error(`no test bank is called ${name}`);
  return found;
}
