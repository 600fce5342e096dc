/** Long near-misses: the cost of validation must grow no faster than the input. */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { requestRefund } from '#contract/app/refunds.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { EMAIL_MAX } from '#domain/limits.ts';
import { cpuTimeMs } from '#tests/support/cpu-time.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { fieldsOf } from '#tests/support/fields-of.ts';

const SHORT = 4_000;
/** Fits in a body. */
const TIMES = 16;
/** A linear scan takes 16 times as long, a quadratic one 256 times. */
const MORE_AT_MOST = 64;

/** Longer addresses are rejected by length. */
const EMAIL_TIMES = 8;
const EMAIL_MORE_AT_MOST = 32;
/** Characters of a near-miss around its letters. */
const AFFIX_LENGTH = 4;

const nearMisses: readonly [string, (letters: number) => string][] = [
  ['an address without an end', (letters) => `${'a'.repeat(letters)}@`],
  ['an address of one long name', (letters) => `a@${'a'.repeat(letters)}!`],
  ['an address of hyphens', (letters) => `a@${'a-'.repeat(letters / 2)}!`],
  ['an address of dots', (letters) => `a@${'a.'.repeat(letters / 2)}`],
  ['a name after spaces', (letters) => `x${' '.repeat(letters)}x`],
  ['a name of words', (letters) => `${'a '.repeat(letters / 2)}!`],
  ['a name in lines', (letters) => `${'\r\n'.repeat(letters / 2)}x`],
  ['a name of invisible characters', (letters) => `${'\u200b'.repeat(letters)}\u0001x`],
  ['a name under accents', (letters) => `a${'\u0316\u0301'.repeat(letters / 2)}`],
  ['an endless number', (letters) => `${'1'.repeat(letters)}!`],
  ['a number of hyphens', (letters) => `${'1-'.repeat(letters / 2)}!`],
];

const texts = (await endpointsOfContract()).flatMap(([, endpoint]) =>
  fieldsOf(endpoint.input)
    .filter(({ takes }) => takes.has('string'))
    .map(({ path }) => ({ name: `${endpoint.path} ${path.join('.')}`, endpoint, path })),
);

const inputWith = (path: readonly (string | number)[], text: string): unknown =>
  path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), text);

const GLANCE_MS = 0.1;
/** Several ticks of the CPU clock. */
const CPU_TICKS_MS = 20;
const CPU_RUNS = 25;

interface Judged {
  schema: z.ZodMiniType;
  input: unknown;
}

/** The fastest of several runs: other load only ever adds time. */
function glance({ schema, input }: Judged): number {
  let best = Number.POSITIVE_INFINITY;
  for (let until = performance.now() + 2 * GLANCE_MS, since = 0, now = 0; now < until; ) {
    since = performance.now();
    schema.safeParse(input);
    now = performance.now();
    best = Math.min(best, now - since);
  }
  return best;
}

function cpuMsOf({ schema, input }: Judged): number {
  const since = cpuTimeMs();
  let times = 0;
  let spent = 0;
  while (spent < CPU_TICKS_MS) {
    schema.safeParse(input);
    times++;
    spent = cpuTimeMs() - since;
  }
  return spent / times;
}

/**
 * Growth in cost from the short to the long input. Wall time only raises suspicion, because it includes other load; CPU
 * time then decides, over several runs, because uncompiled code is slow. A costly schema is slow each time.
 */
function growthOf(long: Judged, short: Judged, suspectedFrom: number): number {
  let growth = glance(long) / glance(short);
  for (let attempt = 0; attempt < CPU_RUNS && growth >= suspectedFrom; attempt++)
    growth = cpuMsOf(long) / cpuMsOf(short);
  return growth;
}

describe.each(nearMisses)('%s', (_what, of) => {
  it('validates each field in time proportional to its length', () => {
    const costly: string[] = [];
    for (const { name, endpoint, path } of texts) {
      const judged = (letters: number) => ({ schema: endpoint.input, input: inputWith(path, of(letters)) });
      const times = growthOf(judged(SHORT * TIMES), judged(SHORT), MORE_AT_MOST);
      if (times > MORE_AT_MOST) costly.push(`${name}: ${Math.round(times)} times`);
    }

    expect(costly).toEqual([]);
  });

  it('validates the longest permitted email in proportional time', () => {
    const judged = (letters: number) => ({ schema: emailField, input: of(letters) });
    const times = growthOf(judged(EMAIL_MAX - AFFIX_LENGTH), judged(EMAIL_MAX / EMAIL_TIMES), EMAIL_MORE_AT_MOST);

    expect(times).toBeLessThan(EMAIL_MORE_AT_MOST);
  });
});

describe(`POST ${requestRefund.path}`, () => {
  const read = (confirmationCode: string) => requestRefund.input.safeParse({ eventId: 'x', confirmationCode });

  it('strips a line break pasted after the code, and rejects one within', () => {
    expect(read('1234567890\n')).toMatchObject({ success: true, data: { confirmationCode: '1234567890' } });
    for (const code of ['12345\n67890', '123456789\n', '1234567890\n1', '1234567890\0'])
      expect(read(code).success).toBe(false);
  });
});
