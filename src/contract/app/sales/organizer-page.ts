/** The public page of an organization, and its settings. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { WEBSITE_MAX } from '#domain/limits.ts';
import type { Focus } from '#domain/sales/photos.ts';

/** How an event sells, as lists of events say it. */
export interface ListedSale {
  sale: 'on-sale' | 'few-left' | 'sold-out' | 'not-yet' | 'paused';
  /** When sales start, if they haven't. */
  opensAt: string | null;
  /** Of the tickets that can be or could be bought, without add-ons; null if there are none. */
  fromCents: number | null;
  hasOnePrice: boolean;
}

/** An event on the page, as its card shows it. Of a series with several coming dates: the next one, with how all of them sell. */
export interface ListedEvent extends ListedSale {
  eventId: string;
  series: { seriesId: string; more: number } | null;
  title: string;
  /** Null for a series. */
  subtitle: string | null;
  timezone: string;
  /** UTC. */
  startsAt: string;
  endsAt: string;
  street: string;
  city: string;
  state: string;
  venueName: string | null;
  /** URL of the cover. */
  photo: string | null;
  photoFocus?: Focus;
}

/** What `/o/{slug}` shows. */
export interface OrganizerPage {
  slug: string;
  name: string;
  bio: string | null;
  website: string | null;
  /** URL. */
  logo: string | null;
  look: string | null;
  /** Soonest first. */
  events: ListedEvent[];
}

/** Text that isn't checked here: rules of `domain` name what is wrong with it. */
const typed = z.string().check(z.maxLength(200));

/** A host with a dot, without a port or a user. */
const WEBSITE = /^(?:https:\/\/(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?#]\S*)?)?$/u;

export const organizationPageForm = z.object({
  slug: z.optional(typed),
  /** Empty for none. */
  website: z.optional(
    z
      .string()
      .check(
        oneLine(),
        z.maxLength(WEBSITE_MAX, because('website.too-long')),
        z.regex(WEBSITE, because('website.invalid')),
      ),
  ),
  /** `#b3261e`, or empty for the product's own colors. */
  accent: z.optional(typed),
  isPublic: z.optional(z.boolean()),
  removesLogo: z.optional(z.boolean()),
});

export const organizationPage = endpoint({
  method: 'GET',
  path: '/api/protected/organization-page',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    organizationName: z.nullable(z.string()),
    /** Null until the page is saved. */
    slug: z.nullable(z.string()),
    /** Made from the name. */
    proposedSlug: z.nullable(z.string()),
    /** What addresses of pages begin with, such as `https://handstamp.example/o/`. */
    addressStart: z.string(),
    website: z.nullable(z.string()),
    accent: z.nullable(z.string()),
    /** URL. */
    logo: z.nullable(z.string()),
    isPublic: z.boolean(),
    /** The public finds it. */
    isShown: z.boolean(),
  }),
});

export type PageSettings = z.infer<(typeof organizationPage)['reply']>;

/** What is omitted stays as it is. */
export const editOrganizationPage = endpoint({
  method: 'PATCH',
  path: '/api/protected/organization-page',
  access: 'organizer',
  input: organizationPageForm,
  reply: messageReply,
});

/** One file. */
export const uploadLogo = endpoint({
  method: 'POST',
  path: '/api/protected/organization-logo',
  access: 'organizer',
  upload: true,
  input: z.object({}),
  reply: z.object({ ...messageReply.shape, logo: z.string() }),
});
