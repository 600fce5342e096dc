/** Who gets a description with its marks, and who without. */
import { describe, expect, it } from 'vitest';
import { createEvent, publicEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import { DESCRIPTION_MAX } from '#domain/limits.ts';
import { readSeriesPage } from '#server/events/organizer-page/read-series-page.ts';
import { eventForm, eventOnSale, expectOk } from '#tests/support/people.ts';
import { weeklySeries } from '#tests/support/series.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const TYPED = '**Six** horns.\n- [Lineup](https://brass.example)\n- <script>alert(1)</script>';
const PLAIN = 'Six horns.\n\n• Lineup (https://brass.example/)\n• <script>alert(1)</script>';

describe('a description with marks', () => {
  it('is elements for the page, plain text for everyone else, and as typed for its editors [EVT-19]', async () => {
    const { eventId, visitor } = await eventOnSale(app, { description: TYPED });
    const shown = expectOk(await app.visitor().call(publicEvent, { eventId }));
    expect(shown).toMatchObject({
      description: PLAIN,
      richDescription: [
        { is: 'p', parts: [{ is: 'strong', parts: ['Six'] }, ' horns.'] },
        {
          is: 'ul',
          parts: [
            { is: 'li', parts: [{ is: 'a', href: 'https://brass.example/', parts: ['Lineup'] }] },
            { is: 'li', parts: ['<script>alert(1)</script>'] },
          ],
        },
      ],
    });
    const { event } = expectOk(await visitor.call(eventCard, { eventId }));
    expect(event).toMatchObject({ description: TYPED, plainDescription: PLAIN });
    const { seriesId } = await weeklySeries({ visitor, eventId }, 1);
    expect((await readSeriesPage(app.deps, seriesId))?.page.description).toBe(PLAIN);
  });

  it('without marks is the text alone [EVT-19]', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    expect(expectOk(await app.visitor().call(publicEvent, { eventId }))).not.toHaveProperty('richDescription');
    expect(expectOk(await visitor.call(eventCard, { eventId })).event).not.toHaveProperty('plainDescription');
  });

  it('counts its marks among its characters [EVT-8]', async () => {
    const { visitor } = await eventOnSale(app);
    const of = (length: number) => eventForm(app, { description: `**${'x'.repeat(length - 4)}**` });
    expectOk(await visitor.call(createEvent, { ...of(DESCRIPTION_MAX), isDraft: true }));
    expect(await visitor.call(createEvent, { ...of(DESCRIPTION_MAX + 1), isDraft: true })).toMatchObject({
      body: { params: { reason: 'description.too-long' } },
    });
  });
});
