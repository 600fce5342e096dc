/** Tracking links: where buyers come from. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { LINK_NAME_MAX } from '#domain/limits.ts';
import { isLinkSlug } from '#domain/reports/tracking-links.ts';

const trackingLink = z.object({
  linkId: z.string(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  /** Of the event's page, without those of members and of known bots. */
  views: z.int(),
  /** What was sold through it, whatever became of the tickets. */
  orders: z.int(),
  tickets: z.int(),
  grossCents: z.int(),
});

export type TrackingLink = z.infer<typeof trackingLink>;

/** Without removed ones, oldest first. */
export const trackingLinks = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/links',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    links: z.array(trackingLink),
    eventUrl: z.string(),
    mayEdit: z.boolean(),
  }),
});

export const linkForm = z.object({
  name: z
    .string()
    .check(
      oneLine(),
      z.minLength(1, because('link-name.missing')),
      z.maxLength(LINK_NAME_MAX, because('link-name.too-long')),
    ),
  slug: z.string().check(z.trim(), z.toLowerCase(), z.refine(isLinkSlug, because('link-slug.invalid'))),
});

export const addTrackingLink = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/links',
  access: 'organizer',
  input: z.extend(linkForm, { eventId: z.string() }),
  reply: messageReply,
});

/** Buyers who follow it come to the event's page as before. Orders keep it. */
export const removeTrackingLink = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/links/:linkId/remove',
  access: 'organizer',
  input: z.object({ eventId: z.string(), linkId: z.uuid() }),
  reply: messageReply,
});
