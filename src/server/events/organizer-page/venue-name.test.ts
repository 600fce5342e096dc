/** The name of a venue: what it may be, and where it is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOrder } from '#contract/app/checkout.ts';
import { createEvent, publicEvent } from '#contract/app/events.ts';
import { ticketsPdf } from '#contract/app/sales/ticket-files.ts';
import { placeLine } from '#messages/format.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { openPage } from '#tests/support/organizer-pages.ts';
import { buyTickets, emailsTo, eventForm, expectOk, generalAdmission } from '#tests/support/people.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages } from '#tests/support/test-app-with-pages.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());

const get = (path: string) =>
  fetch(app.publicUrl + path, { redirect: 'manual', headers: { accept: 'text/html,application/xhtml+xml' } });
const textAt = async (path: string) => (await get(path)).text();

describe('the name of a venue', () => {
  it('has at most 100 characters, and no invisible ones', async () => {
    const page = await openPage(app, {}, { venueName: '\u200B The\nCooperage ' });
    expect(await app.call(publicEvent, { eventId: page.eventId })).toMatchObject({
      body: { venueName: 'The Cooperage' },
    });
    expect(await page.visitor.send(createEvent, eventForm(app, { venueName: 'x'.repeat(101) }))).toMatchObject({
      status: 400,
      body: { code: 'form.invalid', params: { reason: 'venue-name.too-long' } },
    });
    expect(await page.visitor.send(createEvent, { ...eventForm(app), venueName: 7 })).toMatchObject({ status: 400 });
    expect(await page.visitor.send(createEvent, { ...eventForm(app), isListed: 'yes' })).toMatchObject({ status: 400 });
  });

  it('is on what buyers keep: the emails, the page and the file of an order [PAGE-3]', async () => {
    const page = await openPage(app, {}, { venueName: 'The Cooperage' });
    const email = 'keeps@example.com';
    const { details } = await buyTickets(app, page.eventId, generalAdmission(1), email);
    const token = details?.token ?? '';
    const address = 'The Cooperage, 38 Withers St, Brooklyn, NY 11211';
    expect((await emailsTo(app, email))[0]?.text).toContain(address);
    expect(details).toMatchObject({ venueName: 'The Cooperage', street: '38 Withers St' });
    const html = await textAt(`/order/${token}`);
    expect(html).toContain(address);
    // Maps don't know the name.
    expect(html).toContain(encodeURIComponent('38 Withers St, Brooklyn, NY 11211'));
    expect(html).not.toContain(encodeURIComponent(address));
    const pdf = await app.visitor().fetch(`${ticketsPdf.path}?token=${token}`);
    const [ticket] = await readPdf(Buffer.from(await pdf.arrayBuffer()));
    expect(ticket?.text.replaceAll(/\s+/g, ' ')).toContain(address);
    await editEventOf(app, page, { venueName: 'The Loft' });
    expect(expectOk(await app.call(readOrder, { token })).details).toMatchObject({
      venueName: 'The Loft',
      movedFromAddress: address,
    });
  });

  it('is emailed to buyers when it changes, not when the same place gets one', async () => {
    const page = await openPage(app);
    const buyer = 'venue@example.com';
    await buyTickets(app, page.eventId, generalAdmission(1), buyer);
    const changes = async () => {
      await app.settle();
      return (await emailsTo(app, buyer)).filter(({ subject }) => subject.includes('new location'));
    };
    await editEventOf(app, page, { venueName: 'The Cooperage' });
    expect(await changes()).toEqual([]);
    await editEventOf(app, page, { venueName: 'The Loft' });
    const [email] = await changes();
    expect(email?.text).toContain('Now: The Loft, 38 Withers St');
    expect(email?.text).toContain('Before: The Cooperage, 38 Withers St');
  });

  it('stands for the street where there is one line', () => {
    const venue = { street: '38 Withers St', city: 'Brooklyn', state: 'NY' };
    expect(placeLine({ ...venue, venueName: 'The Cooperage' })).toBe('The Cooperage, Brooklyn, NY');
    expect(placeLine({ ...venue, venueName: null })).toBe('38 Withers St, Brooklyn, NY');
  });
});
