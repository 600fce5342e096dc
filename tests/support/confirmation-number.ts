import { randomInt } from 'node:crypto';
import { CONFIRMATION_NUMBER_LIMIT, SMALLEST_CONFIRMATION_NUMBER } from '#domain/codes.ts';

/** A number like a ticket's, and most likely no ticket's. */
export const newConfirmationNumber = (): string =>
  String(randomInt(SMALLEST_CONFIRMATION_NUMBER, CONFIRMATION_NUMBER_LIMIT));
