/**
 * Assembles HTML pages from the client build's template, the screen rendered by the server build, and the page's props as JSON.
 *
 * The content security policy allows no inline script or style.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { PageProps, PageRequest, RenderEmbed, RenderFrame, RenderPage } from '#contract/rendered-page.ts';

export interface Page {
  html: Buffer;
  /** Brotli-compressed. */
  brotli: Buffer;
}

export interface Pages {
  /** A server-rendered page. */
  rendered(request: PageRequest): Promise<Page>;
  /** The same, not cached here. */
  personal(request: PageRequest): Promise<Page>;
  /** The same as a string. */
  render(request: PageRequest): string;
  /** The tickets of an event for a frame, with the code that is for it alone. */
  embed(request: PageRequest): string;
  /** A page rendered in the browser, and hidden from search engines. */
  shell(props: PageProps): Promise<Page>;
}

const BARE_HEAD = '<title>Handstamp</title><meta name="robots" content="noindex">';
const CACHE_SIZE = 200;
const EMBED_TEMPLATE = 'event-page/embed/embed.html';

/** @param webRoot folder of the client build; the server build is in the folder next to it */
export async function openPages(webRoot: string): Promise<Pages> {
  const template = templateOf(await readFile(join(webRoot, 'index.html'), 'utf8'));
  const fill = (parts: Parts) => deferScripts(template(parts));
  const embed = templateOf(await readFile(join(webRoot, EMBED_TEMPLATE), 'utf8'));
  const filesOf = await readManifest(webRoot);
  const { renderPage, renderFrame, renderEmbed } = (await import(join(webRoot, '../server-web/entry-server.js'))) as {
    renderPage: RenderPage;
    renderFrame: RenderFrame;
    renderEmbed: RenderEmbed;
  };
  const frame = renderFrame();
  const cache = new LRUCache<string, Promise<Page>>({ max: CACHE_SIZE });

  /** The key contains everything that determines the page, so entries never become stale. */
  function cached(key: string, make: () => string): Promise<Page> {
    const existing = cache.get(key);
    if (existing) return existing;
    const page = new Promise<string>((resolve) => resolve(make())).then(compressed);
    // Failures are not cached.
    page.catch(() => cache.delete(key));
    cache.set(key, page);
    return page;
  }

  function textOf(request: PageRequest): string {
    const { source, head, body } = renderPage(request);
    return fill({ head, links: linksTo(filesOf(source)), body, props: request.props });
  }

  return {
    rendered: (request) => cached(JSON.stringify([request, new Date().getFullYear()]), () => textOf(request)),
    personal: async (request) => compressed(textOf(request)),
    render: textOf,
    embed: (request) => embed({ ...renderEmbed(request), links: '', props: request.props }),
    shell: (props) => cached(JSON.stringify(props), () => fill({ head: BARE_HEAD, links: '', body: frame, props })),
  };
}

interface Parts {
  head: string;
  links: string;
  body: string;
  props: PageProps;
}

/** Splits the template once. Joining the pieces, unlike `replace`, does not interpret `$` patterns in the content. */
function templateOf(template: string): (parts: Parts) => string {
  const [start, , rest] = cut(template, /<!--head-->([^]*?)<!--\/head-->/);
  const [head, , body] = cut(rest, /(?=<\/head>)/);
  const [frame, , end] = cut(body, /<!--body-->/);
  const [after, , close] = cut(end, /(?=<\/body>)/);
  return (parts) =>
    [start, parts.head, head, parts.links, frame, parts.body, after, propsBlock(parts.props), close].join('');
}

function cut(text: string, mark: RegExp): [before: string, mark: string, after: string] {
  const found = mark.exec(text);
  if (!found) throw new Error(`a built page lacks ${mark.source}`);
  return [text.slice(0, found.index), found[0], text.slice(found.index + found[0].length)];
}

/** Escapes `<`, the only character with which JSON could close the script element. */
function propsBlock(props: PageProps): string {
  if (Object.keys(props).length === 0) return '';
  return `<script type="application/json" id="page-props">${JSON.stringify(props).replaceAll('<', '\\u003c')}</script>`;
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }>;

/** Returns the files that a screen needs before it can render, in addition to the entry's own. */
async function readManifest(webRoot: string): Promise<(source: string) => string[]> {
  const manifest = manifestOf(await readFile(join(webRoot, '.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).find((source) => manifest[source]?.isEntry) ?? '';
  const entryFiles = new Set(closure(manifest, entry));
  return (source) => closure(manifest, source).filter((file) => !entryFiles.has(file));
}

/** Not validated, because our own build wrote it. */
function manifestOf(json: string): Manifest {
  return JSON.parse(json) as Manifest;
}

function closure(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  const chunk = manifest[source];
  if (!chunk || seen.has(source)) return [];
  seen.add(source);
  const dependencies = (chunk.imports ?? []).flatMap((imported) => closure(manifest, imported, seen));
  return [...dependencies, ...(chunk.css ?? []), chunk.file];
}

function linksTo(files: readonly string[]): string {
  return files
    .map((file) =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
    .join('');
}

const ENTRY = /<script type="module"[^>]*src="([^"]+)"><\/script>/;
const PRELOAD = /\s*<link rel="modulepreload"[^>]*href="([^"]+)">/g;

/** Server-rendered content shows without scripts, so shell/before-paint.js loads them after the first paint. */
function deferScripts(html: string): string {
  const entry = ENTRY.exec(html)?.[1] ?? '';
  const code = [...html.matchAll(PRELOAD)].map(([, href]) => href).join(' ');
  return html
    .replace(ENTRY, '')
    .replace(PRELOAD, '')
    .replaceAll('<script src=', () => `<script data-entry="${entry}" data-code="${code}" src=`);
}

const compress = promisify(brotliCompress);

async function compressed(text: string): Promise<Page> {
  const html = Buffer.from(text);
  return { html, brotli: await compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) };
}
