import { createEvent } from '#contract/app/events.ts';
import type { Visitor } from './http-visitor.ts';
import { eventForm, expectOk, type Site } from './people.ts';

/** A draft of the person's organization. */
export async function newDraft(
  site: Site,
  { visitor }: { visitor: Visitor },
  change: Parameters<typeof eventForm>[1] = {},
) {
  return expectOk(await visitor.call(createEvent, { ...eventForm(site, change), isDraft: true }));
}
