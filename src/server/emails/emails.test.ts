import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resendTicket } from '#contract/app/guests.ts';
import { ticketResent } from '#messages/guests.ts';
import { orderUrl } from '#server/orders/order-link.ts';
import { inTransaction } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { linkToken } from '#server/platform/outbox/link-token.ts';
import { queueEmail } from '#server/platform/outbox/queue-email.ts';
import { queueLimitedEmail } from '#server/platform/outbox/queue-limited-email.ts';
import type { Email } from '#server/platform/ports/mailer.ts';
import { inboxOf } from '#tests/support/inbox-of.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { readQr } from '#tests/support/read-qr.ts';
import { soldOrder } from '#tests/support/sold-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendEmail } from './send-email.ts';

let app: TestApp;
let organizer: Awaited<ReturnType<typeof newOrganizer>>;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  organizer = await newOrganizer(app);
});
afterAll(() => app.close());

const outbox = (subjectId: string) =>
  app.db.selectFrom('emailOutbox').selectAll().where('subjectId', '=', subjectId).orderBy('version').execute();

async function queuedJobs(emailId: string): Promise<number> {
  const { rows } = await app.db.executeQuery<{ count: number }>({
    ...app.db.selectNoFrom((eb) => eb.lit(1).as('one')).compile(),
    sql: `select count(*)::int as count from graphile_worker._private_jobs where payload->>'emailId' = $1`,
    parameters: [emailId],
  });
  return rows[0]?.count ?? 0;
}

async function sellAndQueue(sale: Partial<Parameters<typeof soldOrder>[1]> = {}) {
  const order = await soldOrder(app.db, { organizerEmail: organizer.email, ...sale });
  const { orderId: subjectId, buyerEmail: toAddress, eventId } = order;
  await queueEmail(app.db, { kind: 'tickets', subjectId, toAddress, params: { eventId }, now: new Date() });
  const [row] = await outbox(subjectId);
  if (!row) throw new Error('no email was queued');
  return { ...order, emailId: row.id };
}

describe('the outbox', () => {
  it('queues one email and one job when the same email is queued several times', async () => {
    const { orderId: subjectId, eventId, emailId } = await sellAndQueue();
    const duplicate = {
      kind: 'tickets' as const,
      subjectId,
      toAddress: 'x@example.com',
      params: { eventId },
      now: new Date(),
    };
    await Promise.all([queueEmail(app.db, duplicate), queueEmail(app.db, duplicate)]);

    expect(await outbox(subjectId)).toHaveLength(1);
    expect(await queuedJobs(emailId)).toBe(1);
  });

  it('drops the email when its transaction rolls back', async () => {
    const subjectId = crypto.randomUUID();
    const failing = inTransaction(app.db, async (tx) => {
      const email = { kind: 'verify-email', subjectId, accountId: newId() } as const;
      await queueLimitedEmail(tx, app.deps, { ...email, toAddress: 'sam@example.com', now: new Date() });
      throw new Error('the sale failed');
    });

    await expect(failing).rejects.toThrow('the sale failed');
    expect(await outbox(subjectId)).toEqual([]);
  });

  it('sends an email once, with a link that no row contains', async () => {
    const subjectId = crypto.randomUUID();
    const toAddress = `${subjectId}@example.com`;
    const link = { kind: 'verify-email', subjectId, toAddress, accountId: newId(), now: new Date() } as const;
    await queueLimitedEmail(app.db, app.deps, link);
    const [queued] = await outbox(subjectId);
    await sendEmail(app.deps, { emailId: queued?.id ?? '' });
    await sendEmail(app.deps, { emailId: queued?.id ?? '' });

    const [email, ...more] = await inboxOf(app.db, toAddress);
    expect(more).toEqual([]);
    const token = linkToken(app.deps.appSecret, subjectId);
    expect(email?.text).toContain(`${app.publicUrl}/verify-email?token=${token}`);
    expect(email?.html).toContain(`href="${app.publicUrl}/verify-email?token=${token}"`);
    const [sent] = await outbox(subjectId);
    expect(sent).toMatchObject({ state: 'sent', params: {}, sentAt: expect.any(Date) });
    expect(JSON.stringify([queued, sent])).not.toContain(token);
  });

  it('retries with the same message id after the mail server fails', async () => {
    const { emailId, orderId } = await sellAndQueue();
    const attempts: Email[] = [];
    const mailer = {
      async send(email: Email) {
        attempts.push(email);
        if (attempts.length === 1) throw new Error('451 later');
      },
    };

    await expect(sendEmail({ ...app.deps, mailer }, { emailId })).rejects.toThrow('451 later');
    expect(await outbox(orderId)).toMatchObject([{ sentAt: null }]);
    await sendEmail({ ...app.deps, mailer }, { emailId });
    expect(attempts.map(({ messageId }) => messageId)).toEqual([`${emailId}@127.0.0.1`, `${emailId}@127.0.0.1`]);
    expect((await outbox(orderId))[0]?.sentAt).toBeInstanceOf(Date);
  });
});

describe('the ticket email', () => {
  it('carries each ticket as a number and as a scannable QR code', async () => {
    const buyerEmail = 'two@example.com';
    const { emailId, tickets, eventId, orderId } = await sellAndQueue({
      buyerEmail,
      ticketNames: ['General admission', 'Balcony'],
    });
    await sendEmail(app.deps, { emailId });

    const [email] = await inboxOf(app.db, buyerEmail);
    expect(email?.subject).toBe('Basement Brass: your 2 tickets');
    for (const body of [email?.text, email?.html]) {
      expect(body).toContain('Fri, Jun 12, 2026 · 8 – 11:30 PM EDT');
      expect(body).toContain('38 Withers St, Brooklyn, NY 11211');
      expect(body).toContain(orderUrl(app.deps, { eventId, orderId, linkVersion: 0 }));
      expect(body).toContain('Save this email');
      for (const { ticketName, confirmationNumber } of tickets) {
        expect(body).toContain(ticketName);
        expect(body).toContain(confirmationNumber);
      }
    }
    const pictures = (email?.parts ?? []).filter(({ contentType }) => contentType === 'image/png');
    const codes = await Promise.all(pictures.map((part) => readQr(part.content)));
    expect(codes.flat()).toEqual(tickets.map(({ confirmationNumber }) => ({ text: confirmationNumber, level: 'M' })));
    for (const part of pictures) expect(email?.html).toContain(`cid:${part.contentId}`);
  });

  it('renders the QR code black on white with a quiet zone of 4 modules', async () => {
    const buyerEmail = 'pixels@example.com';
    const { emailId } = await sellAndQueue({ buyerEmail });
    await sendEmail(app.deps, { emailId });

    const [email] = await inboxOf(app.db, buyerEmail);
    const { data, info } = await sharp(email?.parts[0]?.content)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(new Set(data)).toEqual(new Set([0, 255]));
    const firstInk = data.indexOf(0) / info.channels;
    expect([firstInk % info.width, Math.floor(firstInk / info.width)]).toEqual([40, 40]);
    const lastInk = data.lastIndexOf(0) / info.channels;
    expect(Math.floor(lastInk / info.width)).toBe(info.height - 41);
  });

  it('escapes names in HTML and in headers', async () => {
    const buyerEmail = 'markup@example.com';
    const title = 'Rock & <b>Roll</b>\r\nBcc: x@example.com';
    const { emailId } = await sellAndQueue({ buyerEmail, title, ticketNames: ['<img src=x onerror=alert(1)>'] });
    await sendEmail(app.deps, { emailId });

    const [email] = await inboxOf(app.db, buyerEmail);
    expect(email?.subject).toBe('Rock & <b>Roll</b> Bcc: x@example.com: your ticket');
    expect(email?.headers.map(({ name }) => name.toLowerCase())).not.toContain('bcc');
    expect(email?.html).toContain('Rock &amp; &lt;b&gt;Roll&lt;/b&gt;');
    expect(email?.html).not.toContain('<img src=x');
    expect(email?.text).toContain('<img src=x onerror=alert(1)>');
  });

  it('leaves out refunded tickets and is not sent when none is left', async () => {
    const buyerEmail = 'refunded@example.com';
    const { emailId, tickets, orderId } = await sellAndQueue({ buyerEmail });
    await app.db
      .updateTable('tickets')
      .set({ state: 'refunded' })
      .where('id', '=', tickets[0]?.id ?? '')
      .execute();
    await sendEmail(app.deps, { emailId });

    expect(await inboxOf(app.db, buyerEmail)).toEqual([]);
    expect((await outbox(orderId))[0]?.sentAt).toBeInstanceOf(Date);
  });
});

describe('resending a ticket', () => {
  it('sends only that ticket, to the address on the order', async () => {
    const sold = await soldOrder(app.db, {
      organizerEmail: organizer.email,
      buyerEmail: 'again@example.com',
      ticketNames: ['A', 'A'],
    });
    const [ticket] = sold.tickets;
    const input = { email: ' AGAIN@example.com ', confirmationNumber: ticket?.confirmationNumber ?? '' };
    const replies = [
      await organizer.visitor.send(resendTicket, input),
      await organizer.visitor.send(resendTicket, input),
    ];

    expect(replies.map(({ status, body }) => [status, body])).toEqual([
      [200, { msg: ticketResent }],
      [200, { msg: ticketResent }],
    ]);
    const rows = await outbox(ticket?.id ?? '');
    expect(rows.map(({ version, toAddress }) => [version, toAddress])).toEqual([
      [1, 'again@example.com'],
      [2, 'again@example.com'],
    ]);
    await sendEmail(app.deps, { emailId: rows[0]?.id ?? '' });
    const [email] = await inboxOf(app.db, 'again@example.com');
    expect(email?.text).toContain(ticket?.confirmationNumber);
    expect(email?.text).not.toContain(sold.tickets[1]?.confirmationNumber);
  });

  it('answers 404 for another email, another number or another organizer', async () => {
    const { tickets, buyerEmail } = await soldOrder(app.db, { organizerEmail: organizer.email });
    const right = { email: buyerEmail, confirmationNumber: tickets[0]?.confirmationNumber ?? '' };
    const stranger = await newOrganizer(app);
    const replies = await Promise.all([
      organizer.visitor.send(resendTicket, { ...right, email: 'thief@example.com' }),
      organizer.visitor.send(resendTicket, { ...right, confirmationNumber: '1000000000' }),
      stranger.visitor.send(resendTicket, right),
    ]);

    for (const { status, body } of replies)
      expect([status, body]).toEqual([404, expect.objectContaining({ code: 'resend.unknown-ticket' })]);
    expect(await outbox(tickets[0]?.id ?? '')).toEqual([]);
  });

  it('does not send a refunded ticket', async () => {
    const { tickets, buyerEmail } = await soldOrder(app.db, { organizerEmail: organizer.email });
    await app.db
      .updateTable('tickets')
      .set({ state: 'refunding' })
      .where('id', '=', tickets[0]?.id ?? '')
      .execute();
    const input = { email: buyerEmail, confirmationNumber: tickets[0]?.confirmationNumber ?? '' };

    expect(await organizer.visitor.send(resendTicket, input)).toMatchObject({
      status: 409,
      body: { code: 'resend.ticket-refunded' },
    });
  });

  it('requires a logged-in organizer and both fields as text', async () => {
    expect((await app.visitor().send(resendTicket, { email: 'a@b.cd', confirmationNumber: '1' })).status).toBe(401);
    expect((await organizer.visitor.send(resendTicket, { email: 'a@b.cd' })).status).toBe(400);
    expect((await organizer.visitor.send(resendTicket, { email: ['a@b.cd'], confirmationNumber: 1 })).status).toBe(400);
  });
});
