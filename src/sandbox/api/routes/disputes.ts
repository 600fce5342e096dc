/** /v1/disputes */

import { closeDispute, lockDispute, stageEvidence, submitEvidence } from '#sandbox/payments/disputes.ts';
import { findOwnObject, saveObject } from '../../objects.ts';
import type { OperationContext } from '../../operation-context.ts';
import { type Dispute, EVIDENCE_FIELDS, type EvidenceField, FILE_FIELDS } from '../../shapes/dispute.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { isRawObject } from '../form-body.ts';
import { created, listObjects, paging } from '../list.ts';
import { boolean, metadataUpdate, oneOf, optional, type ParamReader, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/disputes';
const MAX_EVIDENCE_CHARACTERS = 150_000;

/** Accepted but ignored: evidence for programs that the sandbox does not simulate. */
const IGNORED_EVIDENCE = ['appeal', 'enhanced_evidence'];

const evidence: ParamReader<Partial<Record<EvidenceField, string>>> = (raw, name) => {
  if (!isRawObject(raw)) throw invalidRequest('Invalid hash', { param: name });
  const fields: Partial<Record<EvidenceField, string>> = {};
  let length = 0;
  for (const [key, value] of Object.entries(raw)) {
    if (IGNORED_EVIDENCE.includes(key)) continue;
    const param = `${name}[${key}]`;
    const field = EVIDENCE_FIELDS.find((candidate) => candidate === key);
    if (!field) throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
    fields[field] = value === '' ? '' : text(value, param);
    length += fields[field].length;
  }
  if (length <= MAX_EVIDENCE_CHARACTERS) return fields;
  throw invalidRequest(`The combined character count of all evidence is limited to ${MAX_EVIDENCE_CHARACTERS}.`, {
    param: name,
  });
};

export const disputeRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({ ...paging, created, charge: optional(text), payment_intent: optional(text) }),
    async (ctx, { charge, payment_intent, ...page }) => {
      const found = await listObjects(ctx, 'dispute', { charge, payment_intent }, page, BASE);
      return { ...found, data: found.data.map((dispute) => presentDispute(ctx, dispute)) };
    },
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const dispute = await findOwnObject(ctx, 'dispute', id);
    if (!dispute) throw resourceMissing('dispute', id, 'dispute');
    return presentDispute(ctx, dispute.body);
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({
      evidence: optional(evidence),
      intended_submission_method: optional(oneOf('manual', 'prefer_manual', 'prefer_smart_disputes', 'smart_disputes')),
      metadata: metadataUpdate,
      submit: optional(boolean),
    }),
    async (ctx, params, { id = '' }) => {
      const { charge, dispute } = await lockDispute(ctx, id);
      dispute.body.metadata = params.metadata(dispute.body.metadata);
      if (params.intended_submission_method) {
        dispute.body.intended_submission_method = params.intended_submission_method;
      }
      if (params.evidence) {
        await requireFiles(ctx, params.evidence);
        stageEvidence(dispute, params.evidence);
      }
      await saveObject(ctx, dispute);
      // Evidence is submitted immediately unless `submit` is false.
      if (params.submit ?? params.evidence !== undefined) await submitEvidence(ctx, dispute, charge);
      return presentDispute(ctx, dispute.body);
    },
  ),

  route('POST', `${BASE}/:id/close`, parameters({}), async (ctx, _params, { id = '' }) => {
    const { dispute } = await lockDispute(ctx, id);
    await closeDispute(ctx, dispute, 'lost');
    return presentDispute(ctx, dispute.body);
  }),
];

/** Some fields take the id of an uploaded file. */
async function requireFiles(ctx: OperationContext, evidence: Partial<Record<EvidenceField, string>>): Promise<void> {
  for (const field of FILE_FIELDS) {
    const id = evidence[field];
    if (id && !(await findOwnObject(ctx, 'file', id))) throw resourceMissing('file', id, `evidence[${field}]`);
  }
}

/** `past_due` depends on the current time. */
function presentDispute({ now }: OperationContext, dispute: Dispute): Dispute {
  const { due_by, submission_count } = dispute.evidence_details;
  const past_due = due_by !== null && due_by < now && submission_count === 0;
  return { ...dispute, evidence_details: { ...dispute.evidence_details, past_due } };
}
