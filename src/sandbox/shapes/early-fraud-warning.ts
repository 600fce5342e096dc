/** The `radar.early_fraud_warning` object. */

export interface EarlyFraudWarning {
  id: string;
  object: 'radar.early_fraud_warning';
  /** Whether a refund can still prevent a dispute. */
  actionable: boolean;
  charge: string;
  created: number;
  fraud_type: 'made_with_stolen_card';
  livemode: false;
  payment_intent: string;
}
