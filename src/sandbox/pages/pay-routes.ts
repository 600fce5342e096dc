/** /sandbox/pay/:id and its bank's question: who may pay, what happened, where to go next. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type KeptSession, lockSession, successUrl } from '../checkout-sessions.ts';
import { asPage, type PageCore } from '../core.ts';
import { payFromBank } from '../delayed-payments.ts';
import { isSame } from '../hosted-links.ts';
import { answerChallenge, completeWithoutPayment, type PaymentResult, pay } from '../payments.ts';
import { testBanks } from '../test-bank-accounts.ts';
import { testCards } from '../test-cards.ts';
import type { Work } from '../operation-context.ts';
import { type Fields, fieldsOf, segmentOf } from './requests.ts';
import { plainPage } from './layout.ts';
import { challengePage, emptyForm, type FormState, payPage } from './pay-page.ts';
import { readEmail, readPayment } from './parse-payment.ts';

/** A page with its status, or an address to go to. */
type Next = { status: number; page: string; afterMs?: number } | { location: string };

/** Somebody who tries one card after another waits a little from the tenth decline on. */
const PATIENT_DECLINES = 10;
const PAUSE_MS = 1_000;

export function payPages(app: FastifyInstance, core: PageCore): void {
  app.get('/sandbox/pay/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const next = await asPage(core, async (work) => {
      const session = await lockSession(work, segmentOf(request, 'id'));
      if (!session) return unknown();
      if (session.body.status === 'open') return { status: 200, page: payPage(session, emptyForm(session)) };
      return over(session);
    });
    return await show(reply, next);
  });

  app.post('/sandbox/pay/:id', async (request, reply) => {
    const fields = fieldsOf(request);
    const next = await asPage(core, (work) =>
      withOpenSession(work, segmentOf(request, 'id'), fields, (session) => submit(core, work, session, fields)),
    );
    return await show(reply, next);
  });

  app.get('/sandbox/pay/:id/challenge', { exposeHeadRoute: false }, async (request, reply) => {
    const id = segmentOf(request, 'id');
    const next = await asPage(core, async (work): Promise<Next> => {
      const session = await lockSession(work, id);
      if (!session) return unknown();
      if (session.body.status !== 'open') return over(session);
      return session.inside.challenged
        ? { status: 200, page: challengePage(session) }
        : { location: `/sandbox/pay/${id}` };
    });
    return await show(reply, next);
  });

  app.post('/sandbox/pay/:id/challenge', async (request, reply) => {
    const id = segmentOf(request, 'id');
    const fields = fieldsOf(request);
    const next = await asPage(core, (work) =>
      withOpenSession(work, id, fields, async (session) => {
        const result = await answerChallenge(work, session, fields.outcome === 'complete');
        return result ? afterPayment(session, result, emptyForm(session)) : { location: `/sandbox/pay/${id}` };
      }),
    );
    return await show(reply, next);
  });
}

/** Holds the session while `act` runs. A second click finds it complete and is sent on to where the first one went. */
async function withOpenSession(
  work: Work,
  id: string,
  fields: Fields,
  act: (session: KeptSession) => Promise<Next>,
): Promise<Next> {
  const session = await lockSession(work, id);
  if (!session) return unknown();
  if (!isSame(session.inside.csrf, fields.csrf ?? '')) {
    return {
      status: 403,
      page: plainPage('This form is not ours', 'Open the payment page again, and pay from there.'),
    };
  }
  if (session.body.status === 'complete') return forward(session);
  if (session.body.status === 'expired') return over(session);
  return await act(session);
}

async function submit(core: PageCore, work: Work, session: KeptSession, fields: Fields): Promise<Next> {
  const values = { email: fields.email ?? '', name: fields.name ?? '', zip: fields.zip ?? '', exp: fields.exp ?? '' };
  if (fields.fill !== undefined) return { status: 200, page: payPage(session, filled(values, fields.fill, work.now)) };

  if (session.body.amount_total === 0) {
    const read = readEmail(fields);
    if ('complaints' in read) return wrong(session, { values, complaints: read.complaints, declined: null });
    await completeWithoutPayment(work, session, read.email);
    return forward(session);
  }

  const read = readPayment(fields, core.clock.now());
  if ('complaints' in read)
    return wrong(session, { values, complaints: read.complaints, declined: read.declined ?? null });
  if ('bankPayer' in read) {
    await payFromBank(work, session, read.bankPayer);
    return forward(session);
  }
  return afterPayment(session, await pay(work, session, read.payer), { values, complaints: {}, declined: null });
}

function afterPayment(session: KeptSession, result: PaymentResult, form: FormState): Next {
  if (result.outcome === 'done') return forward(session);
  if (result.outcome === 'challenged') return { location: `/sandbox/pay/${session.body.id}/challenge` };
  const page = payPage(session, { ...form, declined: result.message });
  return { status: 402, page, afterMs: session.inside.declines < PATIENT_DECLINES ? 0 : PAUSE_MS };
}

const wrong = (session: KeptSession, form: FormState): Next => ({
  status: form.declined === null ? 422 : 402,
  page: payPage(session, form),
});

/** The chosen test card, typed in for the buyer. */
function filled(values: Fields, name: string, now: number): FormState {
  const card = testCards.find((known) => known.name === name);
  const year = (new Date(now * 1000).getUTCFullYear() + 3) % 100;
  const bank = testBanks.find((known) => known.name === name);
  if (bank) return { values: { ...values, number: bank.number, exp: '' }, complaints: {}, declined: null };
  const typed = card ? { number: card.number, exp: `12 / ${year}`, cvc: card.brand === 'amex' ? '1234' : '123' } : {};
  return { values: { ...values, ...typed }, complaints: {}, declined: null };
}

function forward(session: KeptSession): Next {
  const location = successUrl(session.body);
  return location === null ? over(session) : { location };
}

function over(session: KeptSession): Next {
  if (session.body.status === 'complete') {
    const href = successUrl(session.body);
    const link = href === null ? null : { href, text: 'See your order' };
    return { status: 200, page: plainPage('This order is complete', 'There is nothing left to pay.', link) };
  }
  const href = session.body.cancel_url;
  const link = href === null ? null : { href, text: 'Go back' };
  return {
    status: 410,
    page: plainPage('This payment page has expired', 'Nothing was charged. Start again to buy tickets.', link),
  };
}

const unknown = (): Next => ({
  status: 404,
  page: plainPage('No such payment page', 'Check the address, or start again from the event.'),
});

async function show(reply: FastifyReply, next: Next): Promise<FastifyReply> {
  if ('location' in next) return reply.redirect(next.location, 303);
  if (next.afterMs) await sleep(next.afterMs);
  return reply.code(next.status).type('text/html; charset=utf-8').send(next.page);
}
