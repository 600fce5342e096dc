/** The Standard plan as the migrations create it; plans.test.ts compares them. */
import type { FeeTerms } from '#domain/fees.ts';

export const STANDARD_TICKET_FEE = { basisPoints: 200, flatCents: 75 };
export const LARGE_EVENT_TICKET_FEE = { basisPoints: 180, flatCents: 50 };

export const STANDARD_TERMS: FeeTerms = {
  processingCents: 15_00,
  standard: STANDARD_TICKET_FEE,
  large: LARGE_EVENT_TICKET_FEE,
  largeFrom: 500,
};
