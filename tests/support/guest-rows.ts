/** The guest list by name, a page at a time. */
import { guestRows } from '#contract/app/sales/guest-table.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

export const rowsOf = async (
  { visitor, eventId }: { visitor: Visitor; eventId: string },
  filters: Omit<InputOf<typeof guestRows>, 'eventId'> = {},
) => expectOk(await visitor.call(guestRows, { eventId, ...filters })).guests;
