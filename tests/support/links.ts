import { addTrackingLink, trackingLinks } from '#contract/app/records/links.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

/** Its id. */
export async function newLink(
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  slug: string,
  name = slug,
): Promise<string> {
  expectOk(await visitor.call(addTrackingLink, { eventId, name, slug }));
  const { links } = expectOk(await visitor.call(trackingLinks, { eventId }));
  return links.find((link) => link.slug === slug)?.linkId ?? '';
}
