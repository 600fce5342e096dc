/** The card's network suspects fraud before anybody has disputed anything. */

import { tell } from './events.ts';
import { newId } from './ids.ts';
import { insertObject, objectsWhere, saveObject } from './objects.ts';
import type { Charge } from './shapes/charge.ts';
import type { EarlyFraudWarning } from './shapes/early-fraud-warning.ts';
import { stamp, type Work } from './operation-context.ts';

export async function warnOfFraud(work: Work, charge: Charge): Promise<EarlyFraudWarning> {
  const body: EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: stamp(work),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: charge.payment_intent,
  };
  await insertObject<'radar.early_fraud_warning'>(work, body, {});
  await tell(work, 'radar.early_fraud_warning.created', body);
  return body;
}

/** The charge has been refunded in full: nothing is left to do about the warning. */
export async function closeWarnings(work: Work, chargeId: string): Promise<void> {
  const warnings = await objectsWhere(work, 'radar.early_fraud_warning', 'charge', chargeId);
  for (const warning of warnings.filter(({ body }) => body.actionable)) {
    warning.body.actionable = false;
    await saveObject(work, warning);
    await tell(work, 'radar.early_fraud_warning.updated', warning.body, { previous: { actionable: true } });
  }
}
