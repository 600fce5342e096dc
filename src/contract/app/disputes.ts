/** Disputed payments of an organization, and what its members add to the evidence. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { someLines } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import type { EvidenceDenial } from '#domain/dispute.ts';
import { STATEMENT_MAX } from '#domain/limits.ts';

/** Undecided. */
export const ownDispute = z.object({
  disputeId: z.string(),
  title: z.string(),
  cents: z.number(),
  /** Stripe's code. */
  reason: z.string(),
  timezone: z.string(),
  dueAt: z.nullable(z.string()),
  /** Empty until a member adds something. */
  statement: z.string(),
  /** Why nothing can be added any more. */
  denial: z.nullable(z.enum(['sent', 'too-late'] satisfies EvidenceDenial[])),
});

export type OwnDispute = z.infer<typeof ownDispute>;

export const statementForm = z.object({
  text: z.string().check(someLines(), z.maxLength(STATEMENT_MAX, because('statement.too-long'))),
});

/** Replaces the earlier text; an empty one removes it. */
export const saveStatement = endpoint({
  method: 'POST',
  path: '/api/protected/dispute-statement',
  access: 'organizer',
  input: z.object({ ...statementForm.shape, disputeId: z.uuid() }),
  reply: messageReply,
});
