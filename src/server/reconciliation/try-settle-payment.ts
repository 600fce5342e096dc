import { settlePayment } from './settle-payment.ts';

/**
 * One payment that cannot be settled must not keep the others from being looked at.
 *
 * @returns whether it is settled now
 */
export async function trySettlePayment(deps: Parameters<typeof settlePayment>[0], paymentId: string): Promise<boolean> {
  try {
    const settled = await settlePayment(deps, paymentId);
    if (settled === 'settled') deps.log.warn({ paymentId }, 'a payment of which no notice had told all');
    return settled === 'settled';
  } catch (error) {
    deps.log.error({ err: error, paymentId }, 'a payment could not be settled');
    return false;
  }
}
