/** Metadata for search engines and link previews. */
import { tabTitle } from './ui/page/page-title.ts';

export interface PageHead {
  title: string;
  description: string;
  /** Canonical path of the page. Null keeps it out of search results. */
  canonical: string | null;
  /** Path and alt text of the preview image. */
  image?: { path: string; alt: string };
  /** schema.org data, embedded as JSON-LD. */
  structuredData?: readonly object[];
}

export function headHtml(head: PageHead, publicUrl: string): string {
  const title = tabTitle(head.title);
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', head.description),
    head.canonical === null
      ? meta('name', 'robots', 'noindex')
      : `<link rel="canonical" href="${escapeHtml(publicUrl + head.canonical)}">`,
    meta('property', 'og:site_name', 'Handstamp'),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', head.description),
    head.canonical === null ? '' : meta('property', 'og:url', publicUrl + head.canonical),
    head.image ? imageTags(publicUrl + head.image.path, head.image.alt) : meta('name', 'twitter:card', 'summary'),
    ...(head.structuredData ?? []).map((data) => dataBlock('application/ld+json', data)),
  ].join('');
}

function imageTags(address: string, alt: string): string {
  return [
    meta('property', 'og:image', address),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', alt),
    meta('name', 'twitter:card', 'summary_large_image'),
  ].join('');
}

const meta = (kind: 'name' | 'property', name: string, content: string) =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}">`;

/** `<` is the only character that could close the block. */
function dataBlock(type: string, value: object): string {
  return `<script type="${type}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
