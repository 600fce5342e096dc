/** The wire object `radar.early_fraud_warning`. */

export interface EarlyFraudWarning {
  id: string;
  object: 'radar.early_fraud_warning';
  /** Whether a refund can still keep the charge from being disputed. */
  actionable: boolean;
  charge: string;
  created: number;
  fraud_type: 'made_with_stolen_card';
  livemode: false;
  payment_intent: string;
}
