/** Stripe's test numbers for US bank accounts, entered in the card number field. Their payments settle an hour later. */

import { type Decline, digitsOf } from './test-cards.ts';

export interface TestBankAccount {
  name: string;
  number: string;
  description: string;
  failure: Decline | null;
}

export const testBankAccounts: readonly TestBankAccount[] = [
  { name: 'bank-pays', number: '000123456789', description: 'Succeeds after an hour', failure: null },
  {
    name: 'bank-fails',
    number: '000111111116',
    description: 'Fails after an hour',
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
  if (!found) throw new Error(`Unknown test bank account: ${name}`);
  return found;
}
