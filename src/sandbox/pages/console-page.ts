/** /sandbox/: what the card company knows, for whoever runs this machine. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asPage, type Core, nowOf } from '../core.ts';
import { randomText } from '../ids.ts';
import { isSame } from '../links.ts';
import { balanceOf } from '../money.ts';
import type { Work } from '../work.ts';
import { fieldsOf, isDirectLoopback } from './form-post.ts';
import { html, type Markup } from './html.ts';
import { day, layout, money, plainPage } from './layout.ts';

const MOVES: readonly (readonly [string, number])[] = [
  ['1 hour', 60 * 60],
  ['1 day', 24 * 60 * 60],
  ['1 week', 7 * 24 * 60 * 60],
];

export function consolePages(app: FastifyInstance, core: Core): void {
  // One secret a process: a page of another site cannot know it.
  const csrf = randomText(32);

  const isRefused = (request: FastifyRequest) => !core.isConsoleOpen && !isDirectLoopback(request, core.publicUrl);
  const back = (reply: FastifyReply) => reply.redirect('/sandbox/', 303);

  app.get('/sandbox', (_request, reply) => back(reply));

  app.get('/sandbox/', { exposeHeadRoute: false }, async (request, reply) => {
    if (isRefused(request)) return refuse(reply);
    return reply.type('text/html; charset=utf-8').send(await asPage(core, (work) => consolePage(work, core, csrf)));
  });

  app.post('/sandbox/clock', async (request, reply) => {
    const fields = fieldsOf(request);
    const move = MOVES.find(([, seconds]) => String(seconds) === fields.advance_seconds);
    if (isRefused(request) || !isSame(csrf, fields.csrf ?? '') || !move) return refuse(reply);
    await core.clockWork.advance(move[1]);
    return back(reply);
  });

  app.post('/sandbox/resend', async (request, reply) => {
    const { csrf: given = '', event = '' } = fieldsOf(request);
    if (isRefused(request) || !isSame(csrf, given)) return refuse(reply);
    await asPage(core, ({ tx, now }) =>
      tx.query(
        'update sandbox.deliveries set next_attempt_at = $2, first_due_at = $2, attempts = 0 where event_id = $1',
        [event, now],
      ),
    );
    return back(reply);
  });
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply
    .code(403)
    .type('text/html; charset=utf-8')
    .send(
      plainPage(
        'Only on this machine',
        'The sandbox console answers on the machine that runs it. Start with SANDBOX_OPEN=1 to open it.',
      ),
    );
}

interface Sale {
  id: string;
  status: string;
  paymentStatus: string;
  cents: number;
  email: string | null;
  created: number;
}

interface Movement {
  type: string;
  source: string;
  net: number;
  created: number;
}

interface Notice {
  id: string;
  type: string;
  created: number;
  attempts: number;
  answer: string | null;
  delivered: boolean;
}

async function consolePage(work: Work, core: Core, csrf: string): Promise<string> {
  const { available, pending } = await balanceOf(work, null);
  return layout(
    'Sandbox',
    html`<h1>Sandbox</h1>
<p class="hint">The card company in a box. It is now ${day(nowOf(core))}. <a href="/sandbox/inbox">Read the mail</a></p>
<dl class="tiles">
<div><dt>Available</dt><dd>${money(available)}</dd></div>
<div><dt>Pending</dt><dd>${money(pending)}</dd></div>
</dl>
<form class="row" method="post" action="/sandbox/clock">
<input type="hidden" name="csrf" value="${csrf}">
<span>Move the clock by</span>
${MOVES.map(([text, seconds]) => html`<button class="button ghost small" type="submit" name="advance_seconds" value="${seconds}">${text}</button>`)}
</form>
${table('Checkout sessions', ['Session', 'State', 'E-mail', 'Amount', 'Opened'], (await recentSales(work)).map(saleRow))}
${table('Money', ['Kind', 'For', 'Net', 'When'], (await recentMovements(work)).map(movementRow))}
${table(
  'Events',
  ['Event', 'When', 'Attempts', 'Answer', 'Again'],
  (await recentNotices(work)).map((notice) => noticeRow(notice, csrf)),
)}`,
    { wide: true },
  );
}

function table(title: string, heads: string[], rows: Markup[]): Markup {
  const body =
    rows.length > 0
      ? html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
      : html`<p class="hint">Nothing yet.</p>`;
  return html`<section class="card"><h2>${title}</h2>${body}</section>`;
}

const saleRow = (sale: Sale) =>
  html`<tr><td><a href="/sandbox/pay/${sale.id}"><code>${sale.id.slice(0, 20)}&hellip;</code></a></td><td>${sale.status}, ${sale.paymentStatus.replaceAll('_', ' ')}</td><td>${sale.email ?? ''}</td><td class="amount">${money(sale.cents)}</td><td>${day(sale.created)}</td></tr>`;

const movementRow = (movement: Movement) =>
  html`<tr><td>${movement.type.replaceAll('_', ' ')}</td><td><code>${movement.source}</code></td><td class="amount">${money(movement.net)}</td><td>${day(movement.created)}</td></tr>`;

const noticeRow = (notice: Notice, csrf: string) =>
  html`<tr><td><code>${notice.type}</code></td><td>${day(notice.created)}</td><td>${notice.attempts}</td><td>${notice.delivered ? 'delivered' : (notice.answer ?? 'waiting')}</td><td><form method="post" action="/sandbox/resend"><input type="hidden" name="csrf" value="${csrf}"><button class="link" type="submit" name="event" value="${notice.id}">Resend</button></form></td></tr>`;

async function recentSales({ tx }: Work): Promise<Sale[]> {
  const { rows } = await tx.query<Sale>(
    `select id, body->>'status' as status, body->>'payment_status' as "paymentStatus",
            (body->>'amount_total')::float8 as cents, body->'customer_details'->>'email' as email, created
       from sandbox.objects where kind = 'checkout.session' order by created desc, seq desc limit 25`,
  );
  return rows;
}

async function recentMovements({ tx }: Work): Promise<Movement[]> {
  const { rows } = await tx.query<Movement>(
    'select type, source, net, created from sandbox.balance_transactions where account is null order by created desc, seq desc limit 25',
  );
  return rows;
}

async function recentNotices({ tx }: Work): Promise<Notice[]> {
  const { rows } = await tx.query<Notice>(
    `select e.id, e.type, e.created, coalesce(sum(d.attempts), 0)::int as attempts,
            max(d.last_answer) as answer, coalesce(bool_and(d.delivered_at is not null), true) as delivered
       from (select * from sandbox.events order by created desc, seq desc limit 40) e
       left join sandbox.deliveries d on d.event_id = e.id
      group by e.id, e.type, e.created, e.seq order by e.created desc, e.seq desc`,
  );
  return rows;
}
