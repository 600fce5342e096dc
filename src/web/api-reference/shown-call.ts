import type { Operation } from '#contract/v1/description.ts';

/** A call with its place. */
export interface ShownCall extends Operation {
  method: string;
  path: string;
}
