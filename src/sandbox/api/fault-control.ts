/** `POST /_sandbox/faults`: `{match, mode, times, ms}` for calls, `{webhook, match, times, ms}` for deliveries. */

import * as z from 'zod';
import { callFaults, type Faults, webhookFaults } from '../faults.ts';
import { parseJsonBody } from './json-body.ts';

const times = z.int().min(1).max(1_000_000).default(1);
const milliseconds = z.int().min(0).max(600_000);

/** `slow:300` is short for `slow` with `ms: 300`. */
const SHORTHAND = /^(slow|delay|duplicate):(\d{1,6})$/;
const shorthandName = (value: unknown) => (typeof value === 'string' ? value.replace(SHORTHAND, '$1') : value);
const shorthandNumber = (value: unknown) => {
  const [, , digits] = (typeof value === 'string' && SHORTHAND.exec(value)) || [];
  return digits === undefined ? undefined : Number(digits);
};

const faultName = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.unknown().transform((value, context) => {
    const name = z.enum(names).safeParse(shorthandName(value));
    if (name.success) return { name: name.data, number: shorthandNumber(value) };
    context.addIssue({ code: 'custom', message: `must be one of ${names.join(', ')}` });
    return z.NEVER;
  });

const callFault = z.strictObject({
  match: z.strictObject({ method: z.optional(z.string()), path: z.optional(z.string()) }).default({}),
  mode: faultName(callFaults),
  times,
  ms: z.optional(milliseconds),
});
const webhookFault = z.strictObject({
  webhook: faultName(webhookFaults),
  match: z.strictObject({ type: z.optional(z.string()) }).default({}),
  times,
  ms: z.optional(milliseconds),
});
const faultBody = z.union([callFault, webhookFault]);

export function addFault(faults: Faults, body: unknown): void {
  const fault = parseJsonBody(faultBody, body);
  if ('webhook' in fault) {
    const { webhook, match, times: timesLeft, ms } = fault;
    const copies = webhook.name === 'duplicate' ? Math.min(webhook.number ?? 2, 20) : 1;
    faults.addWebhookFault({ webhook: webhook.name, match, timesLeft, ms: ms ?? webhook.number ?? 1_000, copies });
  } else {
    const { mode, match, times: timesLeft, ms } = fault;
    faults.addCallFault({ mode: mode.name, match, timesLeft, ms: ms ?? mode.number ?? 1_000 });
  }
}
