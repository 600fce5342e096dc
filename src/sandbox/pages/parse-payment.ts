/** Reads what a buyer typed into the payment form. A card number ends here: what goes on is a test card's name and last four. */

import type { BankPayer, Buyer, Payer } from '../shapes/checkout-session.ts';
import { findTestBank } from '../test-bank-accounts.ts';
import { digitsOf, findTestCard, hasCheckDigit, NOT_A_TEST_CARD } from '../test-cards.ts';
import type { Fields } from './requests.ts';

export type FieldName = 'email' | 'number' | 'exp' | 'cvc' | 'name' | 'zip';
export type Complaints = Partial<Record<FieldName, string>>;

/** A payer, or what is wrong, field by field. `declined` is a whole card turned away before any bank was asked. */
export type Reading = { payer: Payer } | { bankPayer: BankPayer } | { complaints: Complaints; declined?: string };

const LONGEST = 200;

export function readEmail({ email = '' }: Fields): { email: string } | { complaints: Complaints } {
  const value = email.trim();
  if (value === '') return { complaints: { email: 'Enter your e-mail address.' } };
  if (value.length > LONGEST || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
    return { complaints: { email: 'Enter an e-mail address like name@example.com.' } };
  }
  return { email: value };
}

export function readPayment(fields: Fields, now: Date): Reading {
  const email = readEmail(fields);
  const zip = (fields.zip ?? '').trim();
  const complaints: Complaints = {
    ...('complaints' in email ? email.complaints : {}),
    ...complaint('name', (fields.name ?? '').length > LONGEST ? 'Enter a shorter name.' : null),
    ...complaint('zip', zip === '' || /^\d{5}(-\d{4})?$/.test(zip) ? null : 'Enter a ZIP code of 5 digits.'),
  };
  const buyer = {
    email: 'email' in email ? email.email : '',
    name: (fields.name ?? '').trim() || null,
    zip: zip || null,
  };
  const bank = findTestBank(fields.number ?? '');
  if (!bank) return readCard(fields, now, buyer, complaints);
  if (Object.keys(complaints).length > 0) return { complaints };
  return { bankPayer: { ...buyer, bank: { name: bank.name, last4: bank.number.slice(-4) } } };
}

function readCard(fields: Fields, now: Date, buyer: Buyer, others: Complaints): Reading {
  const digits = digitsOf(fields.number ?? '');
  const expiry = readExpiry(fields.exp ?? '', now);
  const complaints: Complaints = {
    ...others,
    ...complaint('number', numberComplaint(digits)),
    ...('complaint' in expiry ? { exp: expiry.complaint } : {}),
    ...complaint('cvc', cvcComplaint(fields.cvc ?? '', digits)),
  };
  if (Object.keys(complaints).length > 0 || 'complaint' in expiry) return { complaints };

  const card = findTestCard(digits);
  if (!card) return { complaints: {}, declined: NOT_A_TEST_CARD };
  const inUse = { name: card.name, last4: digits.slice(-4), expMonth: expiry.month, expYear: expiry.year };
  return { payer: { ...buyer, card: inUse } };
}

function numberComplaint(digits: string): string | null {
  if (digits === '') return 'Enter a card number.';
  if (!/^\d{12,19}$/.test(digits)) return 'Your card number is incomplete.';
  return hasCheckDigit(digits) ? null : 'Your card number is incorrect.';
}

function cvcComplaint(cvc: string, digits: string): string | null {
  const length = findTestCard(digits)?.brand === 'amex' ? 4 : 3;
  if (cvc.trim() === '') return 'Enter the security code.';
  return new RegExp(`^\\d{${length}}$`).test(cvc.trim()) ? null : `Enter a security code of ${length} digits.`;
}

function readExpiry(exp: string, now: Date): { month: number; year: number } | { complaint: string } {
  if (exp.trim() === '') return { complaint: 'Enter the expiry date.' };
  const match = /^(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})$/.exec(exp.trim());
  const month = Number(match?.[1]);
  const year = (match?.[2]?.length === 2 ? 2000 : 0) + Number(match?.[2]);
  if (!match || month < 1 || month > 12) return { complaint: 'Enter the expiry date as MM / YY.' };
  const isOver = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (isOver) return { complaint: 'Your card has expired. Use a date in the future.' };
  return { month, year };
}

const complaint = (field: FieldName, text: string | null): Complaints => (text === null ? {} : { [field]: text });
