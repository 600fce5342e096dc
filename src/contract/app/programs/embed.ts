/** An event's tickets on websites of its organizer. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { EMBED_SITE_MAX } from '#domain/embed/sites.ts';

const sites = z.array(z.string());

export const eventEmbed = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/embed',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    /** Origins, as `https://www.example.com`, in the order in which they were added. */
    sites,
    /** To paste into a website. */
    snippet: z.string(),
    /** A draft has no page yet that a website could show. */
    isDraft: z.boolean(),
  }),
});

export type EventEmbed = z.infer<(typeof eventEmbed)['reply']>;

const typedSite = z.string().check(z.maxLength(EMBED_SITE_MAX));

/** What its form asks. */
export const embedSiteForm = z.object({ site: typedSite });

/** Adds or removes one, so that two members who edit the list at once both get what they wanted. */
export const editEmbed = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/embed',
  access: 'organizer',
  input: z.object({ eventId: z.string(), add: z.optional(typedSite), remove: z.optional(typedSite) }),
  reply: z.object({ sites }),
});
