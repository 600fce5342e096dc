import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/v1/event-page.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { currentForm } from '#server/events/guest-form/guest-form.sql.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { KeyHolder } from '#server/platform/http/callers.ts';
import { versionsFrom } from './api.sql.ts';
import { pageOf, readVersionCursor, versionCursorOf } from './cursor.ts';

type Reading = Pick<Deps, 'db'>;

export async function listQuestions(
  { db }: Reading,
  key: KeyHolder,
  eventId: string,
): Promise<ReplyOf<typeof contract.listQuestions>> {
  await authorizeEvent({ db }, key, 'event.view', eventId);
  const { asksNames = 'off', questions = [] } = (await currentForm(db, eventId)) ?? {};
  return {
    asks_names: asksNames,
    data: questions.map((question) => ({
      id: question.id,
      label: question.label,
      help: question.help,
      kind: kinds[question.kind],
      options: [...question.options],
      is_required: question.isRequired,
      asked_once_per: question.scope,
      ticket_type_ids: question.ticketTypeIds && [...question.ticketTypeIds],
      is_shown_at_door: question.isShownAtDoor,
      delete_after_days: question.deleteAfterDays,
    })),
  };
}

const kinds = {
  'short-text': 'short_text',
  'long-text': 'long_text',
  'one-of': 'one_of',
  'any-of': 'any_of',
  'yes-no': 'yes_no',
  date: 'date',
  access: 'access',
} as const;

export async function listVersions(
  { db }: Reading,
  key: KeyHolder,
  { event_id: eventId, after, limit }: InputOf<typeof contract.listVersions>,
): Promise<ReplyOf<typeof contract.listVersions>> {
  await authorizeEvent({ db }, key, 'event.view', eventId);
  const found = await versionsFrom(db, eventId, { after: readVersionCursor(after), limit: limit + 1 });
  const { page, next } = pageOf(found, limit, ({ version }) => versionCursorOf(version));
  return {
    data: page.map(({ version, changedAt, isListed, content }) => ({
      event_id: eventId,
      version,
      changed_at: changedAt.toISOString(),
      is_listed: isListed,
      title: content.title,
      subtitle: content.subtitle,
      description: content.description,
      starts_at: new Date(content.startsAt).toISOString(),
      ends_at: new Date(content.endsAt).toISOString(),
      time_zone: content.timezone,
      venue: {
        name: content.venueName,
        street: content.street,
        city: content.city,
        state: content.state,
        postal_code: content.postalCode,
      },
      ticket_types: content.tickets.map((type) => ({
        id: type.id,
        name: type.name,
        description: type.description,
        price_cents: type.priceCents,
        has_named_price: type.hasNamedPrice,
        is_add_on: type.isAddOn,
      })),
    })),
    next_cursor: next,
  };
}
