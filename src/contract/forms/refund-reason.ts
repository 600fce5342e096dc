import * as z from 'zod/mini';
import { characterCount, REFUND_REASON_MAX } from '#domain/limits.ts';
import { because } from './form-problem.ts';
import { oneLine } from './typed-text.ts';

/** Why a member refunds, for the buyer; blank for nothing. */
export const refundReason = z.string().check(
  oneLine(),
  z.refine((reason) => characterCount(reason) <= REFUND_REASON_MAX, because('refund-reason.too-long')),
);
