/** What of an event's page has changed since a version of it. */
import * as z from 'zod/mini';
import type { PageChange } from '#domain/sales/page-versions.ts';

/** The buyer's page is outdated, and they would buy something else than it shows. Nothing is reserved. */
export const changedPage = z.object({
  /** Sent back by a buyer who goes on. */
  pageVersion: z.int(),
  changes: z.array(
    z.object({
      what: z.enum(['date', 'end', 'venue', 'refund-policy']),
      /** What the buyer reads. */
      msg: z.string(),
    }),
  ),
});

export type ChangedPage = z.infer<typeof changedPage>;

/** Shown at `/payment/:eventId/changes`, newest first. */
export interface ChangesPage {
  eventId: string;
  title: string;
  timezone: string;
  changes: {
    at: string;
    parts: { what: PageChange['what']; name?: string; before: string; after: string }[];
  }[];
}
