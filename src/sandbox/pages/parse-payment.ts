/** Parses the payment form. Card numbers go no further than this: the result has the test card's name and last four digits. */

import { findTestBankAccount } from '#sandbox/payments/test-bank-accounts.ts';
import { digitsOf, findTestCard, NON_TEST_CARD_MESSAGE, passesLuhnCheck } from '#sandbox/payments/test-cards.ts';
import type { BankPayer, Buyer, Payer } from '../shapes/checkout-session.ts';
import type { Fields } from './requests.ts';

export type FieldName = 'email' | 'number' | 'exp' | 'cvc' | 'name' | 'zip';
export type FieldErrors = Partial<Record<FieldName, string>>;

/** A payer, or errors by field. `declined` is set for a valid number that is not a test card. */
export type PaymentInput = { payer: Payer } | { bankPayer: BankPayer } | { errors: FieldErrors; declined?: string };

const MAX_LENGTH = 200;

export function parseEmail({ email = '' }: Fields): { email: string } | { errors: FieldErrors } {
  const value = email.trim();
  if (value === '') return { errors: { email: 'Enter your email address.' } };
  if (value.length > MAX_LENGTH || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
    return { errors: { email: 'Enter an email address like name@example.com.' } };
  }
  return { email: value };
}

export function parsePayment(fields: Fields, now: Date): PaymentInput {
  const email = parseEmail(fields);
  const zip = (fields.zip ?? '').trim();
  const errors: FieldErrors = {
    ...('errors' in email ? email.errors : {}),
    ...fieldError('name', (fields.name ?? '').length > MAX_LENGTH ? 'Enter a shorter name.' : null),
    ...fieldError('zip', zip === '' || /^\d{5}(-\d{4})?$/.test(zip) ? null : 'Enter a 5-digit ZIP code.'),
  };
  const buyer = {
    email: 'email' in email ? email.email : '',
    name: (fields.name ?? '').trim() || null,
    zip: zip || null,
  };
  const bank = findTestBankAccount(fields.number ?? '');
  if (!bank) return parseCard(fields, now, buyer, errors);
  if (Object.keys(errors).length > 0) return { errors };
  return { bankPayer: { ...buyer, bank: { name: bank.name, last4: bank.number.slice(-4) } } };
}

function parseCard(fields: Fields, now: Date, buyer: Buyer, otherErrors: FieldErrors): PaymentInput {
  const digits = digitsOf(fields.number ?? '');
  const expiry = parseExpiry(fields.exp ?? '', now);
  const errors: FieldErrors = {
    ...otherErrors,
    ...fieldError('number', cardNumberError(digits)),
    ...('error' in expiry ? { exp: expiry.error } : {}),
    ...fieldError('cvc', cvcError(fields.cvc ?? '', digits)),
  };
  if (Object.keys(errors).length > 0 || 'error' in expiry) return { errors };

  const card = findTestCard(digits);
  if (!card) return { errors: {}, declined: NON_TEST_CARD_MESSAGE };
  const cardInUse = { name: card.name, last4: digits.slice(-4), expMonth: expiry.month, expYear: expiry.year };
  return { payer: { ...buyer, card: cardInUse } };
}

function cardNumberError(digits: string): string | null {
  if (digits === '') return 'Enter a card number.';
  if (!/^\d{12,19}$/.test(digits)) return 'Your card number is incomplete.';
  return passesLuhnCheck(digits) ? null : 'Your card number is incorrect.';
}

function cvcError(cvc: string, digits: string): string | null {
  const length = findTestCard(digits)?.brand === 'amex' ? 4 : 3;
  if (cvc.trim() === '') return 'Enter the security code.';
  return new RegExp(`^\\d{${length}}$`).test(cvc.trim()) ? null : `Enter a ${length}-digit security code.`;
}

function parseExpiry(exp: string, now: Date): { month: number; year: number } | { error: string } {
  if (exp.trim() === '') return { error: 'Enter the expiration date.' };
  const match = /^(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})$/.exec(exp.trim());
  const month = Number(match?.[1]);
  const year = (match?.[2]?.length === 2 ? 2000 : 0) + Number(match?.[2]);
  if (!match || month < 1 || month > 12) return { error: 'Enter the expiration date as MM / YY.' };
  const isExpired = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (isExpired) return { error: 'Your card has expired. Enter a future date.' };
  return { month, year };
}

const fieldError = (field: FieldName, text: string | null): FieldErrors => (text === null ? {} : { [field]: text });
