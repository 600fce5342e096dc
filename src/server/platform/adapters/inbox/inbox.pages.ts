/** The inbox's HTML pages, which need no script. */
import type { ReadableMessage } from './read-message.ts';

const EMPTY = 'No email yet. Every email the product sends appears here.';

export function listPage(messages: readonly ReadableMessage[], to: string): string {
  const rows = messages.map(
    (message) => `<li><a class="row" href="/sandbox/inbox/${message.id}">
<span class="subject">${escape(message.subject)}</span>
<span class="to">To ${escape(message.to)}</span>
<span class="start">${escape(previewOf(message.text))}</span>
${timeOf(message.at)}
</a></li>`,
  );
  const list = rows.length > 0 ? `<ul class="list">${rows.join('\n')}</ul>` : `<p class="empty">${EMPTY}</p>`;

  return page(
    'Inbox',
    `<h1>Inbox</h1>
<p class="lead">Emails stay here because no mail server is configured. Nothing leaves this machine.</p>
<form class="filter" action="/sandbox/inbox">
<label for="to">Show email to</label>
<input id="to" name="to" type="email" value="${escape(to)}" placeholder="every address" autocomplete="off">
<button>Show</button>
</form>
${list}`,
  );
}

export function messagePage(message: ReadableMessage): string {
  const base = `/sandbox/inbox/${message.id}`;
  const headers = message.headers.map(({ name, value }) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`);
  const parts = message.parts.map(
    (part, index) =>
      `<li><a href="${base}/parts/${index}">${escape(part.fileName)}</a> ${escape(part.contentType)}, ${part.content.length} bytes</li>`,
  );

  return page(
    message.subject,
    `<p class="back"><a href="/sandbox/inbox">All email</a></p>
<h1>${escape(message.subject)}</h1>
<p class="lead">To ${escape(message.to)}, from ${escape(message.from)}<br>${timeOf(message.at)}</p>
<iframe class="preview" title="Email preview" src="${base}/html" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>
<details><summary>Plain text</summary><pre>${escape(message.text)}</pre></details>
<details><summary>Headers</summary><dl>${headers.join('')}</dl></details>
${parts.length > 0 ? `<details><summary>Attachments (${parts.length})</summary><ul class="parts">${parts.join('')}</ul></details>` : ''}
<p><a class="button" href="${base}.eml" download>Download .eml</a></p>`,
  );
}

/** The email's HTML, with inline images served from here and links that open in a new tab. */
export function emailHtml(message: ReadableMessage): string {
  const html = message.html.replace(/cid:([^"'\s)>]+)/g, (reference, contentId: string) => {
    const index = message.parts.findIndex((part) => part.contentId === contentId);
    return index < 0 ? reference : `/sandbox/inbox/${message.id}/parts/${index}`;
  });
  return html.replace(/<head>/i, '<head><base target="_blank">');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)} - Handstamp sandbox</title>
<link rel="stylesheet" href="/sandbox/inbox.css">
</head>
<body>
<header><a class="mark" href="/"><span class="ring" aria-hidden="true">H</span>Handstamp</a><span class="chip">Sandbox</span></header>
<main>
${body}
</main>
</body>
</html>
`;
}

function timeOf(at: Date): string {
  const formatted = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  }).format(at);
  return `<time datetime="${at.toISOString()}">${formatted} UTC</time>`;
}

function previewOf(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 140);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
