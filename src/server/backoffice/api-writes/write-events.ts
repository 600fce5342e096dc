/**
 * Programs create, change and publish events: by the use cases of the screens. The answer is read before the commit, so that a request
 * whose answer is lost to an outage has changed nothing, and can be sent again.
 */
import { createEvent as form, getCoords } from '#contract/app/events.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/v1/event-writes.ts';
import { authorize } from '#server/accounts/policies.ts';
import { reachedEvent } from '#server/backoffice/api/api.sql.ts';
import { readEvent } from '#server/backoffice/api/read-events.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { createEvent } from '#server/events/create-event.ts';
import { editEventFields } from '#server/events/field-edits/edit-event-fields.ts';
import { locateAddress } from '#server/events/locate-address.ts';
import { publishOneEvent } from '#server/events/series-changes/edit-series.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { parseForm } from '#server/platform/http/read-input.ts';
import { withFieldNames } from './field-names.ts';
import { eventFields, ticketRow } from './form-fields.ts';

type EventReply = ReplyOf<typeof contract.createEvent>;

export async function createDraft(
  deps: Deps,
  key: KeyHolder,
  { ticket_types: types, ...event }: InputOf<typeof contract.createEvent>,
): Promise<EventReply> {
  authorize(key, 'event.create');
  const input = await withFieldNames(async () => {
    const fields = {
      // What the form's fee estimate is for.
      participants: types.reduce((sum, { capacity }) => sum + capacity, 0),
      ...(await located(deps, key, eventFields(event))),
      tickets: types.map(ticketRow),
    };
    return { ...parseForm(form.input, fields), isDraft: true };
  });
  return inTransaction(deps.db, async (tx) => {
    const { eventId } = await withFieldNames(() => createEvent({ ...deps, db: tx }, key, input));
    return readEvent({ ...deps, db: tx }, key, eventId);
  });
}

export async function updateEvent(
  deps: Deps,
  key: KeyHolder,
  { event_id: eventId, ...event }: InputOf<typeof contract.updateEvent>,
  ifMatch: string | undefined,
): Promise<EventReply> {
  await authorizeEvent(deps, key, 'event.edit', eventId);
  const basedOn = versionIn(ifMatch);
  const edit = await withFieldNames(async () => {
    const fields = await located(deps, key, eventFields(event), await reachedEvent(deps.db, key, eventId));
    return { eventId, fields, basedOn };
  });
  return inTransaction(deps.db, async (tx) => {
    await withFieldNames(() => editEventFields({ ...deps, db: tx }, key, edit));
    return readEvent({ ...deps, db: tx }, key, eventId);
  });
}

export async function publishEvent(
  deps: Deps,
  key: KeyHolder,
  { event_id: eventId }: InputOf<typeof contract.publishEvent>,
): Promise<EventReply> {
  return inTransaction(deps.db, async (tx) => {
    await publishOneEvent({ ...deps, db: tx }, key, { eventId });
    return readEvent({ ...deps, db: tx }, key, eventId);
  });
}

type Fields = Record<string, unknown>;

const ADDRESS = ['street', 'city', 'state', 'postalCode'] as const;

/** With the coordinates of an address that was sent without them. */
async function located(
  deps: Deps,
  key: KeyHolder,
  fields: Fields,
  stored?: Awaited<ReturnType<typeof reachedEvent>>,
): Promise<Fields> {
  const isMoved = ADDRESS.some((name) => name in fields && fields[name] !== stored?.[name]);
  if (!isMoved || 'latitude' in fields || 'longitude' in fields) return fields;
  const address = parseForm(getCoords.input, { ...stored, ...fields });
  const { lat: latitude, lng: longitude } = await locateAddress(deps, key, address);
  return { ...fields, latitude, longitude };
}

const VERSION = /^"?(\d{1,9})"?$/;

/** Null: any. */
function versionIn(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch === '*') return null;
  const [, version] = VERSION.exec(ifMatch) ?? [];
  if (version === undefined) throw new AppError('form.invalid', { field: 'If-Match', reason: 'invalid' });
  return Number(version);
}
