/** What programs read about the page of an event. */
import { describe, expect, it } from 'vitest';
import { listQuestions, listVersions } from '#contract/v1/event-page.ts';
import { listEvents } from '#contract/v1/events.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { askBuyers, questionForm } from '#tests/support/guest-forms.ts';
import { eventOnSale } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function setUp() {
  const event = await eventOnSale(app);
  return { ...event, key: await newApiKey(event.visitor, { scopes: ['events:read'] }) };
}

describe('A program', () => {
  it('reads what an event asks its buyers', async () => {
    const { key, ...event } = await setUp();
    const before = await callV1(app, key, listQuestions, { event_id: event.eventId });
    const ids = await askBuyers(event, {
      asksNames: 'required',
      questions: [questionForm('T-shirt', { kind: 'one-of', options: ['S', 'M'], scope: 'order', isRequired: false })],
    });

    const { body } = await callV1(app, key, listQuestions, { event_id: event.eventId });

    expect(before.body).toEqual({ asks_names: 'off', data: [] });
    expect(body).toMatchObject({
      asks_names: 'required',
      data: [
        {
          id: ids['T-shirt'],
          label: 'T-shirt',
          kind: 'one_of',
          options: ['S', 'M'],
          is_required: false,
          asked_once_per: 'order',
          ticket_type_ids: null,
        },
      ],
    });
  });

  it('walks the versions of a page', async () => {
    const { key, ...event } = await setUp();
    await editEventOf(app, event, { title: 'Brass, louder' });
    await editEventOf(app, event, { title: 'Brass, loudest' });
    const read = (fields: Record<string, string>) =>
      callV1(app, key, listVersions, { event_id: event.eventId, ...fields });

    const first = await read({ limit: '1' });
    const rest = await read({ after: String(first.body.next_cursor) });
    const invented = await read({ after: 'abc' });

    expect([...first.body.data, ...rest.body.data]).toMatchObject([
      { version: 1, title: 'Basement Brass', ticket_types: [{ price_cents: 24_00 }, { price_cents: 38_50 }] },
      { version: 2, title: 'Brass, louder' },
      { version: 3, title: 'Brass, loudest' },
    ]);
    expect(rest.body.next_cursor).toBeNull();
    expect([invented.status, invented.body.error.code]).toEqual([400, 'input.invalid-cursor']);
  });

  it('reads the events of a series', async () => {
    const { key, eventId } = await setUp();
    const seriesId = newPublicId();
    const { organizationId } = await app.db
      .selectFrom('events')
      .where('id', '=', eventId)
      .select('organizationId')
      .executeTakeFirstOrThrow();
    await app.db.insertInto('series').values({ id: seriesId, organizationId, createdAt: app.now() }).execute();
    await app.db.updateTable('events').set({ seriesId }).where('id', '=', eventId).execute();

    const own = await callV1(app, key, listEvents, { series_id: seriesId });
    const other = await callV1(app, key, listEvents, { series_id: newPublicId() });

    expect(own.body.data.map(({ id }) => id)).toEqual([eventId]);
    expect(other.body.data).toEqual([]);
  });
});
