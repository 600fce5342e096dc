/** Sends evidence for a dispute to Stripe. */
import type Stripe from 'stripe';
import type { DisputeEvidence, EvidenceAnswer } from '#server/platform/ports/payment-processor.ts';
import { expectAnswer, isNo, translated } from './stripe-answers.ts';

export async function sendEvidence(
  stripe: Stripe,
  { stripeDisputeId, pdf, texts }: DisputeEvidence,
): Promise<EvidenceAnswer> {
  try {
    const dispute = expectAnswer(await stripe.disputes.retrieve(stripeDisputeId), 'dispute', ['id', 'status']);
    // By a call whose answer was lost, or in the dashboard. Banks take one submission.
    if (dispute.evidence_details.submission_count > 0) return { denial: null };
    const data = Buffer.from(pdf);
    const file = await stripe.files.create({
      purpose: 'dispute_evidence',
      file: { name: 'evidence.pdf', type: 'application/pdf', data },
    });
    await stripe.disputes.update(stripeDisputeId, {
      evidence: {
        product_description: texts.product,
        ...(texts.buyerEmail && { customer_email_address: texts.buyerEmail }),
        service_date: texts.serviceDate,
        service_documentation: file.id,
        access_activity_log: texts.scans,
        refund_policy_disclosure: texts.policy,
        uncategorized_text: texts.other,
      },
      submit: true,
    });
    return { denial: null };
  } catch (error) {
    if (!isNo(error)) return translated(() => Promise.reject(error));
    return { denial: error.message };
  }
}
