/** Radar early fraud warnings, which precede a dispute. */

import { newId } from '#sandbox/ids.ts';
import { findObjectsBy, insertObject, saveObject } from '#sandbox/objects.ts';
import { type OperationContext, timestamp } from '#sandbox/operation-context.ts';
import type { Charge } from '#sandbox/shapes/charge.ts';
import type { EarlyFraudWarning } from '#sandbox/shapes/early-fraud-warning.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';

export async function createFraudWarning(ctx: OperationContext, charge: Charge): Promise<EarlyFraudWarning> {
  const body: EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: timestamp(ctx),
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: charge.payment_intent,
  };
  await insertObject<'radar.early_fraud_warning'>(ctx, body, {});
  await emitEvent(ctx, 'radar.early_fraud_warning.created', body);
  return body;
}

/** Called after a full refund, when the warnings are no longer actionable. */
export async function resolveFraudWarnings(ctx: OperationContext, chargeId: string): Promise<void> {
  const warnings = await findObjectsBy(ctx, 'radar.early_fraud_warning', 'charge', chargeId);
  for (const warning of warnings.filter(({ body }) => body.actionable)) {
    warning.body.actionable = false;
    await saveObject(ctx, warning);
    await emitEvent(ctx, 'radar.early_fraud_warning.updated', warning.body, { previous: { actionable: true } });
  }
}
