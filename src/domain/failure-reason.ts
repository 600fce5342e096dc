/** Why we ended a refund or a transfer reversal ourselves. What Stripe refused is stored in Stripe's words. */
export type OwnFailureReason = 'refunded-elsewhere' | 'transfer-too-small';
