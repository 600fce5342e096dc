/** What the first process and its workers tell each other. */
import * as z from 'zod/mini';
import { sample } from '#server/metrics/sample.ts';

/** Answered to a worker that asks what to do. */
export const assignment = z.strictObject({
  address: z.strictObject({ connectionString: z.string(), role: z.nullable(z.string()) }),
  sandboxPort: z.nullable(z.int()),
  isFirst: z.boolean(),
});
export type Assignment = z.infer<typeof assignment>;

/** Why a worker cannot start, as it would be printed. */
export const failure = z.strictObject({ words: z.string(), code: z.int() });

export const measurements = z.array(sample);
