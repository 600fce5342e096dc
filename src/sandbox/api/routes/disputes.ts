/** /v1/disputes */

import { endDispute, lockDispute, stageEvidence, submitEvidence } from '../../disputes.ts';
import { findOwn, saveObject } from '../../objects.ts';
import { type Dispute, EVIDENCE_FIELDS, type EvidenceField } from '../../shapes/dispute.ts';
import type { Work } from '../../operation-context.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { isRawObject } from '../form-body.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { choice, flag, metadataChange, optional, parameters, type Reader, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/disputes';
const LONGEST_EVIDENCE = 150_000;

/** Accepted, and not looked at: evidence of programs that the sandbox does not run. */
const PROGRAM_EVIDENCE = ['appeal', 'enhanced_evidence'];

const evidence: Reader<Partial<Record<EvidenceField, string>>> = (raw, name) => {
  if (!isRawObject(raw)) throw invalidRequest('Invalid hash', { param: name });
  const given: Partial<Record<EvidenceField, string>> = {};
  let length = 0;
  for (const [key, value] of Object.entries(raw)) {
    if (PROGRAM_EVIDENCE.includes(key)) continue;
    const param = `${name}[${key}]`;
    const field = EVIDENCE_FIELDS.find((known) => known === key);
    if (!field) throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
    given[field] = value === '' ? '' : text(value, param);
    length += given[field].length;
  }
  if (length <= LONGEST_EVIDENCE) return given;
  throw invalidRequest(`The combined character count of all evidence is limited to ${LONGEST_EVIDENCE}.`, {
    param: name,
  });
};

export const disputeRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({ ...paging, created, charge: optional(text), payment_intent: optional(text) }),
    async (work, { charge, payment_intent, ...page }) => {
      const found = await pageOfObjects(work, 'dispute', { charge, payment_intent }, page, BASE);
      return { ...found, data: found.data.map((dispute) => shown(work, dispute)) };
    },
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const dispute = await findOwn(work, 'dispute', id);
    if (!dispute) throw noSuch('dispute', id, 'dispute');
    return shown(work, dispute.body);
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({
      evidence: optional(evidence),
      intended_submission_method: optional(
        choice('manual', 'prefer_manual', 'prefer_smart_disputes', 'smart_disputes'),
      ),
      metadata: metadataChange,
      submit: optional(flag),
    }),
    async (work, given, { id = '' }) => {
      const { charge, dispute } = await lockDispute(work, id);
      dispute.body.metadata = given.metadata(dispute.body.metadata);
      if (given.intended_submission_method) {
        dispute.body.intended_submission_method = given.intended_submission_method;
      }
      if (given.evidence) stageEvidence(dispute, given.evidence);
      await saveObject(work, dispute);
      // Evidence is handed in with the call that brings it, unless the call says otherwise.
      if (given.submit ?? given.evidence !== undefined) await submitEvidence(work, dispute, charge);
      return shown(work, dispute.body);
    },
  ),

  route('POST', `${BASE}/:id/close`, parameters({}), async (work, _given, { id = '' }) => {
    const { dispute } = await lockDispute(work, id);
    await endDispute(work, dispute, 'lost');
    return shown(work, dispute.body);
  }),
];

/** Whether the answer is late depends on when one asks. */
function shown({ now }: Work, dispute: Dispute): Dispute {
  const { due_by, submission_count } = dispute.evidence_details;
  const past_due = due_by !== null && due_by < now && submission_count === 0;
  return { ...dispute, evidence_details: { ...dispute.evidence_details, past_due } };
}
