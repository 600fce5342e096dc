import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Shared by most screens. Excludes the contract and the texts of forms, because pages that send nothing don't need them, and
 * components that bring a library or are only for organizers.
 */
const KIT =
  /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]|src[\\/]domain[\\/]limits\.ts|src[\\/]web[\\/](?:ui|shell)[\\/](?!chart[\\/]|(?:ticket[\\/]\w+|form[\\/](?:Field|fields|Form|form-values))\.tsx?$|(?:[\w-]+[\\/])?(?:Chip|ConfirmDanger|ConfirmDialog|CopyButton|CorrectEmailDialog|download-file|DueChip|EmptyState|QrCode|DataTable|NewPasswordField|StatTile|Timeline|series|MapPin|use-focus-on-heading|use-form|use-log-in|use-warn-before-leaving|workspace))/;

/** The contract's small parts, in one file with the library that they all need: each file costs the entry its name. */
const CONTRACT = /src[\\/]contract[\\/](?:endpoint|message-reply|forms[\\/]honeypot)\.ts$/;

/** The fields of forms. The event page has none until a buyer asks for one. */
const FORMS = /src[\\/]web[\\/]ui[\\/]form[\\/](?:Field|fields|Form|form-values)\.tsx?$/;

/** What the pages of buyers share besides the kit: small files that are mostly loaded together. */
const BUYER = /src[\\/]web[\\/](?:buyer-storage|hosted-page|new-uuid|photo-source)\.ts$/;

/** Small rules of the domain that several of the organizer's pages check. */
const RULES =
  /src[\\/]domain[\\/](?:codes|early-check-in|event-schedule|settlement|accounts[\\/](?:affiliate|onboarding))\.ts$/;

/** Styles of the public pages: one file, since each that the first paint waits for costs a slow line a round trip. */
const STYLES = /src[\\/]web[\\/](?:ui|shell|landing|event-page(?:[\\/](?:cart|photos))?|faq|legal)[\\/][^\\/]+\.css$/;

/** Shared code in one file each: thirty small ones cost a slow connection more than they save. */
const SHARED = [
  { name: 'public-styles', test: STYLES, priority: 2 },
  { name: 'kit', test: KIT, minShareCount: 3 },
  { name: 'forms', test: FORMS },
  { name: 'contract', test: CONTRACT },
  { name: 'buyer', test: BUYER },
  { name: 'rules', test: RULES },
];

/** What journeys look for among the requests. */
const ON_DEMAND =
  /^(?:DrawCheckCard|EventScreen|LegalScreen|ToastRegion|check-draw|esm|event-calls|leaflet-map|read-codes)\b/;

/** Nothing else has a name. */
const isNamed = ({ name }: { name: string }): boolean =>
  name === 'rolldown-runtime' || ON_DEMAND.test(name) || SHARED.some((shared) => shared.name === name);

/** Fonts have theirs, so that they can be preloaded, and the style sheets that come with the entry. */
const isNamedAsset = ({ names }: { names: string[] }): boolean =>
  names.some((name) => !name.endsWith('.css') || /^(?:DrawCheckCard|index|public-styles)\b/.test(name));

/** Loaded with the entry, so that no later code asks for them: each list of files is part of the entry. */
const OF_ENTRY = /^static\/(?:js\/)?(?:index|kit|rolldown-runtime|public-styles)-/;

/** Two builds: the pages for the browser, and with `--ssr` the server's renderer for public pages. */
export default defineConfig(({ isSsrBuild }) => ({
  root: here('src/web'),
  // Files at the fixed addresses that browsers expect.
  publicDir: isSsrBuild ? false : here('src/web/app'),
  plugins: [
    react(),
    leafletWithoutHtml(),
    beforePaint(),
    preloadFonts(/(bricolage-grotesque|instrument-sans)-[^/]*\.woff2$/),
  ],
  // Production has no dev packages, so the server's bundle includes everything.
  ssr: { noExternal: true },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    outDir: here(isSsrBuild ? 'dist/server-web' : 'dist/web'),
    emptyOutDir: true,
    // Maps each screen to its files, for the server's preloads and the size budgets.
    manifest: !isSsrBuild,
    target: 'baseline-widely-available',
    // `light-dark()` has both themes; lowering it for old browsers would double the style sheets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The CSP forbids data: scripts and styles, and small files are cheap over HTTP/2.
    assetsInlineLimit: 0,
    // The polyfill is an inline script, which the CSP blocks.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => !OF_ENTRY.test(file)) : files,
    },
    rolldownOptions: {
      output: {
        // Seven characters of a hash, and a name only where one is asked for: the entry lists the names of all files.
        entryFileNames: isSsrBuild ? '[name].js' : 'static/js/[name]-[hash:7].js',
        chunkFileNames: (chunk) =>
          isSsrBuild ? '[name].js' : `static/js/${isNamed(chunk) ? '[name]' : 'c'}-[hash:7].js`,
        assetFileNames: (asset) => `static/${isNamedAsset(asset) ? '[name]' : 'c'}-[hash:7][extname]`,
        ...(isSsrBuild ? {} : { codeSplitting: { groups: SHARED } }),
      },
    },
  },
}));

/**
 * On load Leaflet checks for SVG support by setting innerHTML. Trusted Types block that, and the map would not load.
 * This checks with an element instead.
 */
function leafletWithoutHtml(): Plugin {
  const question = "div.innerHTML = '<svg/>';";
  return {
    name: 'leaflet-without-html',
    transform(code, id) {
      if (!id.endsWith('leaflet-src.js') && !id.endsWith('leaflet-src.esm.js')) return null;
      if (!code.includes(question)) throw new Error(`${id} has changed: check if it still needs this patch`);
      return code.replace(question, "div.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));");
    },
  };
}

/**
 * A tiny classic script outside the bundle, because modules run only after the first paint. Repeated at the end of the
 * page in case the first request failed.
 */
export function beforePaint(): Plugin {
  const file = here('src/web/shell/before-paint.js');
  let reference: string | undefined;
  return {
    name: 'before-paint',
    async buildStart() {
      if (this.environment.mode !== 'build') return;
      const source = await this.fs.readFile(file, { encoding: 'utf8' });
      reference = this.emitFile({ type: 'asset', name: 'before-paint.js', source, originalFileName: file });
    },
    generateBundle() {
      if (reference) scriptPath = this.getFileName(reference);
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => {
        const src = scriptPath ? `/${scriptPath}` : '/shell/before-paint.js';
        return [
          { tag: 'script', attrs: { src }, injectTo: 'head-prepend' },
          { tag: 'script', attrs: { src }, injectTo: 'body' },
        ];
      },
    },
  };
}
let scriptPath: string | undefined;

/** Preloads the two fonts of every page with the HTML, before the style sheet asks for them. */
function preloadFonts(wanted: RegExp): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((file) => wanted.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}
