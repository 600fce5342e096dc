/** Layout shared by the hosted pages. */

import { html, type Markup } from './html.ts';

export const formatCents = (cents: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'usd' }).format(cents / 100);

export const formatTime = (unixSeconds: number) =>
  `${new Date(unixSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export function layout(title: string, content: Markup, { wide = false } = {}): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} | Test payments</title>
<link rel="stylesheet" href="/sandbox/styles.css">
</head>
<body>
<header class="banner"><p>Test payments. No card is charged.</p></header>
<main class="${wide ? 'page wide' : 'page'}">
${content}
</main>
</body>
</html>
`;
  return page.text;
}

/** A page with a message and at most one link. */
export function messagePage(title: string, message: string, link?: { href: string; text: string } | null): string {
  return layout(
    title,
    html`<section class="card message">
<h1>${title}</h1>
<p>${message}</p>
${link ? html`<p><a class="button" href="${link.href}">${link.text}</a></p>` : null}
</section>`,
  );
}
