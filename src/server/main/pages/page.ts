/**
 * Makes the HTML of a page: the template of the client's build, the screen drawn by the server's build, and what both know.
 *
 * The policy of our pages allows no inline script or style, so all that is added are elements and blocks of JSON.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { PageProps, PageRequest, RenderPage } from '#contract/pages.ts';

export interface Page {
  html: Buffer;
  /** The same for browsers that read brotli, which is all of them. */
  brotli: Buffer;
}

export interface Pages {
  /** A page that the server draws. */
  drawn(request: PageRequest): Promise<Page>;
  /** The same as text, for who keeps it elsewhere. */
  draw(request: PageRequest): string;
  /** A page that the browser draws by itself, and that nobody should find by searching. */
  bare(facts: PageProps): Promise<Page>;
}

const BARE_HEAD = '<title>Handstamp</title><meta name="robots" content="noindex">';
const PAGES_KEPT = 200;

/** @param webRoot folder of the client's build; the server's build stands beside it */
export async function openPages(webRoot: string): Promise<Pages> {
  const fill = templateOf(await readFile(join(webRoot, 'index.html'), 'utf8'));
  const filesOf = await readManifest(webRoot);
  const { draw } = (await import(join(webRoot, '../server-web/entry-server.js'))) as { draw: RenderPage };
  const kept = new Map<string, Promise<Page>>();

  /** Keyed by all that goes into the page, so that what is kept is never out of date. */
  function keep(key: string, make: () => string): Promise<Page> {
    const known = kept.get(key);
    if (known) return known;
    const oldest = kept.keys().next();
    if (kept.size >= PAGES_KEPT && !oldest.done) kept.delete(oldest.value);
    const page = new Promise<string>((resolve) => resolve(make())).then(packed);
    // What failed once may work the next time.
    page.catch(() => kept.delete(key));
    kept.set(key, page);
    return page;
  }

  function textOf(request: PageRequest): string {
    const { source, head, body } = draw(request);
    return codeLater(fill({ head, links: linksTo(filesOf(source)), body, facts: request.facts }));
  }

  return {
    drawn: (request) => keep(JSON.stringify([request, new Date().getFullYear()]), () => textOf(request)),
    draw: textOf,
    bare: (facts) => keep(JSON.stringify(facts), () => fill({ head: BARE_HEAD, links: '', body: '', facts })),
  };
}

interface Parts {
  head: string;
  links: string;
  body: string;
  facts: PageProps;
}

/** Cuts the template once; a page is then its pieces joined, whatever letters the parts are made of. */
function templateOf(template: string): (parts: Parts) => string {
  const [start, , rest] = cut(template, /<!--head-->([^]*?)<!--\/head-->/);
  const [head, , body] = cut(rest, /(?=<\/head>)/);
  const [frame, , end] = cut(body, /<!--body-->/);
  const [after, , close] = cut(end, /(?=<\/body>)/);
  return (parts) =>
    [start, parts.head, head, parts.links, frame, parts.body, after, propsBlock(parts.facts), close].join('');
}

function cut(text: string, mark: RegExp): [before: string, mark: string, after: string] {
  const found = mark.exec(text);
  if (!found) throw new Error(`the built index.html lacks ${mark.source}`);
  return [text.slice(0, found.index), found[0], text.slice(found.index + found[0].length)];
}

/** `<` is the only letter with which JSON could end its own block. */
function propsBlock(facts: PageProps): string {
  if (Object.keys(facts).length === 0) return '';
  return `<script type="application/json" id="page-facts">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>`;
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[]; isEntry?: boolean }>;

/** By a screen's source, the files beyond the entry's own that must be there before it shows. */
async function readManifest(webRoot: string): Promise<(source: string) => string[]> {
  const manifest = manifestOf(await readFile(join(webRoot, '.vite/manifest.json'), 'utf8'));
  const entry = Object.keys(manifest).find((source) => manifest[source]?.isEntry) ?? '';
  const present = new Set(closure(manifest, entry));
  return (source) => closure(manifest, source).filter((file) => !present.has(file));
}

/** Our own build wrote it a moment ago. */
function manifestOf(json: string): Manifest {
  return JSON.parse(json) as Manifest;
}

function closure(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  const chunk = manifest[source];
  if (!chunk || seen.has(source)) return [];
  seen.add(source);
  const below = (chunk.imports ?? []).flatMap((imported) => closure(manifest, imported, seen));
  return [...below, ...(chunk.css ?? []), chunk.file];
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

/** What the server has drawn shows without code: shell/before-paint.js fetches that once the rest is there. */
function codeLater(html: string): string {
  const entry = ENTRY.exec(html)?.[1] ?? '';
  const code = [...html.matchAll(PRELOAD)].map(([, href]) => href).join(' ');
  return html
    .replace(ENTRY, '')
    .replace(PRELOAD, '')
    .replaceAll('<script src=', () => `<script data-entry="${entry}" data-code="${code}" src=`);
}

const compress = promisify(brotliCompress);

async function packed(text: string): Promise<Page> {
  const html = Buffer.from(text);
  return { html, brotli: await compress(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) };
}
