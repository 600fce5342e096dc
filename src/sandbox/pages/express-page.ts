/** /sandbox/express/:token: what an organizer sees of their own account. Read only; the link works once, the visit lasts 15 minutes. */

import type { FastifyInstance } from 'fastify';
import { canReceiveTransfers } from '../accounts.ts';
import { asPage, type PageCore } from '../core.ts';
import { visitedLink, visitLink } from '../hosted-links.ts';
import { balanceOf } from '../balances.ts';
import { findObject, objectsOf, objectsWhere } from '../objects.ts';
import type { Work } from '../operation-context.ts';
import { cookieOf, segmentOf } from './requests.ts';
import { html, type Markup } from './html.ts';
import { day, layout, money, plainPage } from './layout.ts';

const COOKIE = 'sandbox_express';
const VISIT_SECONDS = 15 * 60;

export function expressPages(app: FastifyInstance, core: PageCore): void {
  app.get('/sandbox/express/:token', { exposeHeadRoute: false }, async (request, reply) => {
    const token = segmentOf(request, 'token');
    const seen = await asPage(core, async (work) => {
      const link =
        (await visitLink(work, 'express', token)) ??
        (await visitedLink(work, 'express', token, cookieOf(request, COOKIE) ?? ''));
      return link && { secret: link.visitSecret, page: await expressPage(work, link.account) };
    });
    reply.type('text/html; charset=utf-8');
    if (!seen) {
      return reply
        .code(410)
        .send(
          plainPage(
            'This link has been used',
            'A link to your payouts works once. Ask for a new one from your profile.',
          ),
        );
    }
    const isSecure = core.publicUrl.startsWith('https:') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${COOKIE}=${seen.secret ?? ''}; Path=/sandbox/express/${token}; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${isSecure}`,
    );
    return reply.send(seen.page);
  });
}

async function expressPage(work: Work, accountId: string): Promise<string> {
  const account = await findObject(work, 'v2.core.account', accountId);
  const { available, pending } = await balanceOf(work, accountId);
  const transfers = await objectsWhere(work, 'transfer', 'destination', accountId);
  const payouts = await objectsOf(work, 'payout', accountId);
  return layout(
    'Your payouts',
    html`<h1>Your payouts</h1>
<p class="hint">${account?.body.display_name ?? account?.body.contact_email ?? accountId}, ${
      account && canReceiveTransfers(account) ? 'ready to be paid' : 'details missing'
    }</p>
<dl class="tiles">
<div><dt>Available</dt><dd>${money(available)}</dd></div>
<div><dt>On its way</dt><dd>${money(pending)}</dd></div>
</dl>
<section class="card">
<h2>Transfers received</h2>
${listOf(
  transfers.map(({ body }) =>
    row(body.description ?? body.transfer_group ?? body.id, body.created, body.amount - body.amount_reversed),
  ),
  'No transfers yet.',
)}
</section>
<section class="card">
<h2>Paid to your bank</h2>
${listOf(
  payouts.map(({ body }) => row(body.status, body.arrival_date, body.amount)),
  'Nothing has been paid to your bank yet.',
)}
</section>`,
    { wide: true },
  );
}

const row = (text: string, at: number, cents: number) =>
  html`<li><span>${text}<small>${day(at)}</small></span><b>${money(cents)}</b></li>`;

const listOf = (rows: Markup[], none: string) =>
  rows.length > 0 ? html`<ul class="lines">${rows}</ul>` : html`<p class="hint">${none}</p>`;
