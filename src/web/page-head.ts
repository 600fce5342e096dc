/** What machines read of a page: search engines, and those who show a card for a shared link. */
import { tabTitle } from './ui/page/page-title.ts';

export interface PageHead {
  title: string;
  description: string;
  /** The one address of this page. Null where it should not be found. */
  canonical: string | null;
  /** Address and words of the picture for a shared link. */
  image?: { path: string; alt: string };
  /** schema.org, as blocks that no browser runs. */
  facts?: readonly object[];
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
    ...(head.facts ?? []).map((facts) => dataBlock('application/ld+json', facts)),
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

/** `<` is the only letter with which JSON could end its own block. */
function dataBlock(type: string, value: object): string {
  return `<script type="${type}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
