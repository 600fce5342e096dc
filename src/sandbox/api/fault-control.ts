/** Reads what `POST /_sandbox/faults` asks for: `{match, mode, times, ms}` for calls, `{webhook, match, times, ms}` for deliveries. */

import * as z from 'zod';
import { callFaults, type Faults, webhookFaults } from '../faults.ts';
import { readBody } from './json-body.ts';

const times = z.int().min(1).max(1_000_000).default(1);
const milliseconds = z.int().min(0).max(600_000);

/** `slow:300` says in one word what `slow` and `ms: 300` say in two. */
const WORD = /^(slow|delay|duplicate):(\d{1,6})$/;
const nameOf = (word: unknown) => (typeof word === 'string' ? word.replace(WORD, '$1') : word);
const numberOf = (word: unknown) => {
  const [, , digits] = (typeof word === 'string' && WORD.exec(word)) || [];
  return digits === undefined ? undefined : Number(digits);
};

const named = <const T extends readonly [string, ...string[]]>(names: T) =>
  z.unknown().transform((word, context) => {
    const name = z.enum(names).safeParse(nameOf(word));
    if (name.success) return { name: name.data, number: numberOf(word) };
    context.addIssue({ code: 'custom', message: `must be one of ${names.join(', ')}` });
    return z.NEVER;
  });

const callFault = z.strictObject({
  match: z.strictObject({ method: z.optional(z.string()), path: z.optional(z.string()) }).default({}),
  mode: named(callFaults),
  times,
  ms: z.optional(milliseconds),
});
const webhookFault = z.strictObject({
  webhook: named(webhookFaults),
  match: z.strictObject({ type: z.optional(z.string()) }).default({}),
  times,
  ms: z.optional(milliseconds),
});
const fault = z.union([callFault, webhookFault]);

export function planFault(faults: Faults, body: unknown): void {
  const wanted = readBody(fault, body);
  if ('webhook' in wanted) {
    const { webhook, match, times: timesLeft, ms } = wanted;
    const copies = webhook.name === 'duplicate' ? Math.min(webhook.number ?? 2, 20) : 1;
    faults.planWebhook({ webhook: webhook.name, match, timesLeft, ms: ms ?? webhook.number ?? 1_000, copies });
  } else {
    const { mode, match, times: timesLeft, ms } = wanted;
    faults.planCall({ mode: mode.name, match, timesLeft, ms: ms ?? mode.number ?? 1_000 });
  }
}
