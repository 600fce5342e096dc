/** The rest of a long list, so that its reader can jump to any page. */
import * as z from 'zod/mini';

export const pageEnds = z.object({
  /** The last row of each full page. */
  ends: z.array(z.string()),
  /** How many rows the pages have, with those after the last end. */
  rows: z.int(),
});

export type PageEnds = z.infer<typeof pageEnds>;
