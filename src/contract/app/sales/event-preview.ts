/** An event's page as the form would make it, before anything is saved. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { eventForm } from '#contract/forms/event-form.ts';

export const previewEvent = endpoint({
  method: 'POST',
  path: '/api/protected/preview-event',
  access: 'organizer',
  input: z.extend(z.omit(eventForm, { affiliateCode: true }), {
    /** The event that is edited; omitted for a new one. */
    eventId: z.optional(z.string()),
  }),
  reply: z.object({
    /** The page that buyers would see. Null where the server renders none. */
    html: z.nullable(z.string()),
    /** Whom saving would email, and about what; null without any emails. */
    emails: z.nullable(z.object({ buyers: z.int(), about: z.enum(['date', 'venue', 'date-and-venue']) })),
    /** What publishing waits for, besides the form. Empty for a published event. */
    missing: z.array(z.enum(['verify-email', 'account-information', 'connect-payouts', 'place-in-plan'])),
  }),
  worksWhileViewing: true,
});

export type EventPreview = z.infer<(typeof previewEvent)['reply']>;
