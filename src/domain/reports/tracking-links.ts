/** Links that say where buyers come from: `/payment/{eventId}?from=poster`. */
import { SLUG_MAX } from '../limits.ts';

/** Of an event, without removed ones. */
export const LINKS_MAX = 100;

/** Lowercase letters, digits and single hyphens inside. */
const SLUG = /^[a-z\d]+(?:-[a-z\d]+)*$/;

export const isLinkSlug = (text: string): boolean => text.length <= SLUG_MAX && SLUG.test(text);

/** `Poster in the café` is `poster-in-the-cafe`. Empty if nothing of it is left. */
export function linkSlugFrom(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_MAX)
    .replace(/-$/, '');
}

export const linkAddress = (eventUrl: string, slug: string): string => `${eventUrl}?from=${slug}`;
