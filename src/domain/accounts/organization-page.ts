/** The public page of an organization: its address, and when a former one is free again. */
import { SLUG_MAX, SLUG_MIN } from '#domain/limits.ts';

/** A former address leads to the page for so long. */
export const REDIRECT_DAYS = 90;
/** No other organization gets it for so long, so that printed links don't lead to a stranger. */
export const FORMER_SLUG_DAYS = 365;

/** Paths and names that readers would take for the product's own. */
const RESERVED = new Set(
  (
    'about account accounts admin api app assets billing blog calendar cart checkout contact dashboard demo docs door event events faq ' +
    'feed find-tickets handstamp help home legal login logo logout money new news null o official order orders organization ' +
    'organizations organizer organizers payment payments payout payouts photos plans press pricing privacy profile refund refunds ' +
    'register report robots root sales scanner search security series settings sitemap staff static status success support system ' +
    'team terms test ticket tickets trust undefined user users v1 verify webhook webhooks www'
  ).split(' '),
);

/** Lowercase letters, digits and single hyphens inside. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function denySlug(text: string): 'slug-invalid' | 'slug-taken' | null {
  if (text.length < SLUG_MIN || text.length > SLUG_MAX || !SLUG.test(text))
    return RESERVED.has(text) ? 'slug-taken' : 'slug-invalid';
  return RESERVED.has(text) ? 'slug-taken' : null;
}

/** The name as an address: `Cooperage Nights & Co.` is `cooperage-nights-co`. Null if too little of it is left. */
export function slugFrom(name: string): string | null {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const slug = plain
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_MAX)
    .replace(/^-|-$/g, '');
  return denySlug(slug) === null ? slug : null;
}
