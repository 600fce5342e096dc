/** /sandbox/: what the card company knows, and what it may do next, for whoever runs this machine. */

import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiRefusal } from '../api/errors.ts';
import { asPage, nowOf, type PageCore } from '../core.ts';
import { isSame } from '../hosted-links.ts';
import { balanceOf } from '../balances.ts';
import type { Work } from '../operation-context.ts';
import { acts, isAct } from './console-actions.ts';
import { actButton, consoleTables, type Table } from './console-tables.ts';
import { fieldsOf, isDirectLoopback } from './requests.ts';
import { html, type Markup } from './html.ts';
import { day, layout, money, plainPage } from './layout.ts';

const MOVES: readonly (readonly [string, number])[] = [
  ['1 hour', 60 * 60],
  ['1 day', 24 * 60 * 60],
  ['1 week', 7 * 24 * 60 * 60],
  ['30 days', 30 * 24 * 60 * 60],
];

/** What is said above the tables: how the last button went. */
interface Said {
  done: string | null;
  refused: string | null;
}

export function consolePages(app: FastifyInstance, core: PageCore): void {
  // One secret for all processes, any of which may read the form: a page of another site cannot know it.
  const csrf = createHmac('sha256', core.secretKey).update('console').digest('base64url');
  const isRefused = (request: FastifyRequest) => !core.isConsoleOpen && !isDirectLoopback(request, core.publicUrl);
  const show = async (reply: FastifyReply, status: number, said: Said) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(await asPage(core, (work) => consolePage(work, core, csrf, said)));

  app.get('/sandbox', (_request, reply) => reply.redirect('/sandbox/', 303));

  app.get('/sandbox/', { exposeHeadRoute: false }, async (request, reply) => {
    if (isRefused(request)) return refuse(reply);
    return await show(reply, 200, { done: doneIn(request), refused: null });
  });

  app.post('/sandbox/clock', async (request, reply) => {
    const fields = fieldsOf(request);
    const move = MOVES.find(([, seconds]) => String(seconds) === fields.advance_seconds);
    if (isRefused(request) || !isSame(csrf, fields.csrf ?? '') || !move) return refuse(reply);
    await core.clockWork.advance(move[1]);
    return reply.redirect('/sandbox/', 303);
  });

  app.post('/sandbox/acts', async (request, reply) => {
    const fields = fieldsOf(request);
    const [act = '', subject = ''] = (fields.act ?? '').split(' ', 2);
    if (isRefused(request) || !isSame(csrf, fields.csrf ?? '') || !isAct(act)) return refuse(reply);
    try {
      await asPage(core, (work) => acts[act].run(work, subject));
    } catch (error) {
      if (error instanceof ApiRefusal) return await show(reply, 409, { done: null, refused: error.message });
      throw error;
    }
    return reply.redirect(`/sandbox/?done=${act}#${acts[act].table}`, 303);
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

function doneIn({ query }: FastifyRequest): string | null {
  return typeof query === 'object' && query !== null && 'done' in query ? String(query.done) : null;
}

async function consolePage(work: Work, core: PageCore, csrf: string, { done, refused }: Said): Promise<string> {
  const { available, pending } = await balanceOf(work, null);
  const tables = await consoleTables(work);
  const finished = done !== null && isAct(done) ? acts[done] : null;
  const newsFor = (id: string) =>
    finished?.table === id ? html`<p class="said" role="status">${finished.done}</p>` : null;
  return layout(
    'Sandbox',
    html`<h1>Sandbox</h1>
<p class="hint">The card company in a box. It is now ${day(nowOf(core))}. <a href="/sandbox/inbox">Read the mail</a></p>
${refused === null ? null : html`<p class="alert" role="alert">${refused}</p>`}
<nav aria-label="On this page"><ul class="jumps">${tables.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<section class="card" id="balance" aria-labelledby="balance-title">
<h2 id="balance-title">Balance and clock</h2>
${newsFor('balance')}
<dl class="tiles">
<div><dt>Available</dt><dd>${money(available)}</dd></div>
<div><dt>Pending</dt><dd>${money(pending)}</dd></div>
</dl>
${pending === 0 ? null : html`<p>${actButton('release', 'all', 'of everybody')}</p>`}
<form class="row" method="post" action="/sandbox/clock" aria-label="Clock">
<input type="hidden" name="csrf" value="${csrf}">
<span>Move the clock forward by</span>
${MOVES.map(([text, seconds]) => html`<button class="button ghost small" type="submit" name="advance_seconds" value="${seconds}">${text}</button>`)}
</form>
</section>
${tables.map((table) => section(table, newsFor(table.id)))}
<form id="acts" method="post" action="/sandbox/acts" hidden><input type="hidden" name="csrf" value="${csrf}"></form>`,
    { wide: true },
  );
}

function section({ id, title, none, heads, rows }: Table, news: Markup | null): Markup {
  return html`<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${news}
${rows.length > 0 ? table(title, heads, rows) : html`<p class="hint">${none}</p>`}
</section>`;
}

// The roles are named because the narrow layout takes them away: a table drawn as blocks is no table to a screen reader.
const table = (title: string, heads: string[], rows: Markup[][]) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${title}, table"><table class="stacks" role="table"><thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead><tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${cells.map((cell, place) => html`<td role="cell" data-label="${heads[place] ?? ''}"><div>${cell}</div></td>`)}</tr>
`,
  )}</tbody></table></div>`;
