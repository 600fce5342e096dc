/** Stripe's public test cards and their behavior. Any other number is declined and never stored. */

export interface Decline {
  code: string;
  declineCode: string | null;
  /** Stripe's message to the buyer. */
  message: string;
}

export interface CardBehavior {
  decline: Decline | null;
  /** 3D Secure. */
  requiresChallenge: boolean;
  hasInstantFunds: boolean;
  refundOutcome: 'succeeds' | 'succeeds-later' | 'fails-later';
  /** Happens right after a successful payment. */
  followUp: 'fraud-dispute' | 'goods-dispute' | 'inquiry' | 'fraud-warning' | null;
}

export interface TestCard {
  name: string;
  number: string;
  brand: 'visa' | 'mastercard' | 'amex';
  description: string;
  behavior: CardBehavior;
}

const succeeds: CardBehavior = {
  decline: null,
  requiresChallenge: false,
  hasInstantFunds: false,
  refundOutcome: 'succeeds',
  followUp: null,
};

const declined = (code: string, declineCode: string | null, message: string): CardBehavior => ({
  ...succeeds,
  decline: { code, declineCode, message },
});

const DECLINED = 'Your card was declined.';

export const testCards: readonly TestCard[] = [
  card('visa', '4242 4242 4242 4242', 'Visa, succeeds', succeeds),
  card('mastercard', '5555 5555 5555 4444', 'Mastercard, succeeds', succeeds, 'mastercard'),
  card('amex', '3782 822463 10005', 'American Express, succeeds', succeeds, 'amex'),
  card('challenge', '4000 0027 6000 3184', 'Requires authentication (3D Secure)', {
    ...succeeds,
    requiresChallenge: true,
  }),
  card('declined', '4000 0000 0000 0002', 'Declined', declined('card_declined', 'generic_decline', DECLINED)),
  card(
    'no-funds',
    '4000 0000 0000 9995',
    'Insufficient funds',
    declined('card_declined', 'insufficient_funds', 'Your card has insufficient funds.'),
  ),
  card('lost', '4000 0000 0000 9987', 'Reported lost', declined('card_declined', 'lost_card', DECLINED)),
  card('stolen', '4000 0000 0000 9979', 'Reported stolen', declined('card_declined', 'stolen_card', DECLINED)),
  card('expired', '4000 0000 0000 0069', 'Expired', declined('expired_card', null, 'Your card has expired.')),
  card(
    'wrong-cvc',
    '4000 0000 0000 0127',
    'Incorrect CVC',
    declined('incorrect_cvc', null, "Your card's security code is incorrect."),
  ),
  card(
    'processing-error',
    '4000 0000 0000 0119',
    'Processing error',
    declined('processing_error', null, 'An error occurred while processing your card. Try again in a little bit.'),
  ),
  card('challenge-declined', '4000 0084 0000 1629', 'Authenticates, then declined', {
    ...declined('card_declined', 'generic_decline', DECLINED),
    requiresChallenge: true,
  }),
  card('funds-at-once', '4000 0000 0000 0077', 'Succeeds, funds available immediately', {
    ...succeeds,
    hasInstantFunds: true,
  }),
  card('refund-pending', '4000 0000 0000 7726', 'Succeeds; refunds stay pending for an hour', {
    ...succeeds,
    refundOutcome: 'succeeds-later',
  }),
  card('refund-fails', '4000 0000 0000 5126', 'Succeeds; refunds fail after an hour', {
    ...succeeds,
    refundOutcome: 'fails-later',
  }),
  card('disputed-fraud', '4000 0000 0000 0259', 'Succeeds, then disputed as fraudulent', {
    ...succeeds,
    followUp: 'fraud-dispute',
  }),
  card('disputed-goods', '4000 0000 0000 2685', 'Succeeds, then disputed as product not received', {
    ...succeeds,
    followUp: 'goods-dispute',
  }),
  card('inquiry', '4000 0000 0000 1976', 'Succeeds, then the bank opens an inquiry', {
    ...succeeds,
    followUp: 'inquiry',
  }),
  card('fraud-warning', '4000 0000 0000 5423', 'Succeeds, with an early fraud warning', {
    ...succeeds,
    followUp: 'fraud-warning',
  }),
];

/** Stripe's message for a real card in test mode. */
export const NON_TEST_CARD_MESSAGE =
  'Your card was declined. Your request was in test mode, but used a non test card. Use one of the test cards below.';

export const findTestCard = (digits: string) => testCards.find(({ number }) => digitsOf(number) === digits);

export function testCardNamed(name: string): TestCard {
  const found = testCards.find((card) => card.name === name);
  if (!found) throw new Error(`Unknown test card: ${name}`);
  return found;
}

export const digitsOf = (number: string) => number.replaceAll(/[\s-]/g, '');

/** Luhn checksum. */
export function passesLuhnCheck(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

function card(
  name: string,
  number: string,
  description: string,
  behavior: CardBehavior,
  brand: TestCard['brand'] = 'visa',
): TestCard {
  return { name, number, brand, description: description, behavior: behavior };
}
