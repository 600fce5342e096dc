/**
 * The import rule (ARCHITECTURE.md, "The rule"), checked. Each entry says which files, and what they may not reach.
 * tests/house/import-rule.test.ts plants a violation of every entry and expects its name.
 */

const SLICES =
  'accounts|events|photos|checkout|admission|mail|payouts|refunds|affiliates|admin|guests|notices|reconciliation|disputes|waiting-room|published|door';
const SLICE_FILE = `^src/server/(?:${SLICES})/`;
const TEST_FILE = '\\.test\\.tsx?$';
const npm = (...names) => `(?:^|/)node_modules/(?:${names.join('|')})(?:/|$)`;

/** A rule of the form "only these may reach that". Tests may reach everything. */
const only = (name, who, what, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^src/', pathNot: [...who, TEST_FILE] },
  to: { path: what },
});

const never = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    // Between the rooms.
    never(
      'domain-imports-nothing',
      { path: '^src/domain/', pathNot: TEST_FILE },
      { pathNot: '^src/domain/' },
      'Rules are pure: no library, no clock, no I/O, no other room. One exception is not worth the first crack.',
    ),
    never(
      'contract-imports-domain-and-zod',
      { path: '^src/contract/', pathNot: TEST_FILE },
      { pathNot: ['^src/contract/', '^src/domain/', npm('zod')] },
      'The contract is read by both sides, so it may cost neither of them anything.',
    ),
    never(
      'server-never-imports-web',
      { path: '^src/server/', pathNot: TEST_FILE },
      { path: ['^src/web/', npm('react', 'react-dom', 'react-router')] },
      'The two sides meet in the contract.',
    ),
    never(
      'web-never-imports-server',
      { path: '^src/web/' },
      { path: ['^src/server/', '^src/sandbox/'] },
      'The two sides meet in the contract.',
    ),
    never(
      'sandbox-stands-alone',
      { path: '^src/sandbox/', pathNot: TEST_FILE },
      { path: '^src/(?!sandbox/)' },
      'It plays the outside app. Knowing the product would let both share one mistake.',
    ),
    never(
      'service-worker-stands-alone',
      { path: '^src/service-worker/', pathNot: TEST_FILE },
      { pathNot: '^src/service-worker/' },
      'It stays in browsers when everything else has changed, so it should know nothing that changes.',
    ),
    never(
      'nothing-imports-the-service-worker',
      { path: '^src/', pathNot: '^src/service-worker/' },
      { path: '^src/service-worker/' },
      'It runs beside the pages, in a worker without a page.',
    ),
    only(
      'only-main-starts-the-sandbox',
      ['^src/sandbox/', '^src/server/start/'],
      '^src/sandbox/',
      'Everything else meets it over HTTP, as it would meet the real thing.',
    ),
    never(
      'src-never-imports-tests',
      { path: '^src/', pathNot: TEST_FILE },
      { path: ['^tests/', '^scripts/', TEST_FILE] },
      'What ships does not lean on what checks it.',
    ),
    never(
      'nobody-imports-bench',
      { pathNot: '^bench/' },
      { path: '^bench/' },
      'A measurement stands at the end: nothing may come to rest on its harness.',
    ),
    never(
      'bench-measures-the-product',
      { path: '^bench/' },
      {
        path: [
          '^src/web/(?!scanner/codes/(?:find-codes|image-filters)\\.ts)',
          '^scripts/',
          '^tests/(?!support/|journeys/(?:chromium|qr-camera)\\.ts)',
        ],
      },
      "It runs the server as it is, and the scanner's reading of codes, with the builders of the tests and with nothing else.",
    ),

    // Inside the server.
    never(
      'slices-meet-in-use-cases',
      { path: `^src/server/(${SLICES})/`, pathNot: TEST_FILE },
      { path: `${SLICE_FILE}[^/]+\\.(?:sql|routes|replies)\\.ts$`, pathNot: '^src/server/$1/' },
      "A slice asks another slice through its use cases; tables, routes and wire names stay their owner's.",
    ),
    never(
      'sql-decides-nothing',
      { path: '^src/server/.+\\.sql\\.ts$' },
      { path: `${SLICE_FILE}[^/]+(?<!\\.sql)\\.ts$` },
      'Queries are called; they call no use case.',
    ),
    never(
      'use-cases-know-no-routes',
      { path: '^src/server/', pathNot: ['\\.routes\\.ts$', '^src/server/app\\.ts$', '^src/server/start/', TEST_FILE] },
      { path: '\\.routes\\.ts$' },
      'Routes are mounted by the server and by nobody else.',
    ),
    only(
      'only-sql-reaches-the-database',
      [
        '\\.sql\\.ts$',
        '^src/server/(?:database|schema|migrate)\\.ts$',
        '^src/server/jobs/worker\\.ts$',
        '^src/server/adapters/embedded-postgres/',
        '^src/sandbox/',
      ],
      npm('pg', 'pg-pool', 'pg-protocol', '@types/pg', 'kysely'),
      'Every query of a table stands in one file beside its slice.',
    ),
    only(
      'only-routes-know-fastify',
      ['^src/server/http/', '\\.routes\\.ts$', '^src/server/app\\.ts$', '^src/server/start/', '^src/sandbox/'],
      npm('fastify', '@fastify'),
      'A use case that runs from a job needs no HTTP word.',
    ),
    only(
      'only-adapters-know-a-vendor',
      ['^src/server/adapters/'],
      npm('stripe', 'nodemailer', '@types/nodemailer', 'flydrive', '@aws-sdk', 'zipcodes', '@embedded-postgres'),
      "A vendor's vocabulary stops at its adapter.",
    ),
    only(
      'only-photos-and-mail-draw-pictures',
      ['^src/server/photos/', '^src/server/mail/'],
      npm('sharp'),
      'Pictures are decoded in one place, where their size is bounded, and drawn in one other: the QR code of a mail.',
    ),
    only(
      'only-accounts-know-secrets',
      ['^src/server/accounts/', '^src/server/http/session\\.ts$'],
      npm('@node-rs/argon2', 'jose'),
      'Passwords and tokens are made and read in one place.',
    ),
    only(
      'only-jobs-know-the-queue',
      ['^src/server/jobs/', '^src/server/migrate\\.ts$'],
      npm('graphile-worker'),
      'Use cases add a job by SQL, in the transaction that causes it.',
    ),
    only(
      'only-main-chooses-adapters',
      ['^src/server/start/', '^src/server/adapters/'],
      // Why the database could not start is told in words, not by which adapter it was.
      '^src/server/adapters/(?!embedded-postgres/start-failure\\.ts$)',
      'The product does not know whose card company or mail server it speaks to.',
    ),
    never(
      'only-the-ledger-writes-money',
      { path: '^src/server/', pathNot: ['^src/server/ledger/', TEST_FILE] },
      { path: '^src/server/ledger/[^/]+\\.sql\\.ts$' },
      'One place writes the movements of money.',
    ),

    // Inside the web.
    never(
      'screens-never-import-screens',
      { path: '^src/web/([^/]+)/', pathNot: ['^src/web/(?:ui|shell)/', TEST_FILE] },
      { path: '^src/web/[^/]+/', pathNot: ['^src/web/(?:ui|shell)/', '^src/web/$1/'] },
      'What two screens need becomes part of ui/.',
    ),
    never(
      'ui-knows-no-screen',
      { path: '^src/web/ui/', pathNot: TEST_FILE },
      { path: ['^src/web/[^/]+/', '^src/web/(?:routes|entry)'], pathNot: '^src/web/ui/' },
      'The component kit knows neither the screens nor the frame around them.',
    ),
    never(
      'shell-knows-no-screen',
      { path: '^src/web/shell/', pathNot: TEST_FILE },
      { path: '^src/web/[^/]+/', pathNot: '^src/web/(?:ui|shell)/' },
      'The frame around every screen knows none of them; routes.tsx does.',
    ),

    // Everywhere.
    never('no-circles', {}, { circular: true }, 'Two files that need each other are one file, or three.'),
    never(
      'no-barrels',
      {},
      { path: '(?:^|/)index\\.tsx?$', pathNot: 'node_modules' },
      'An index.ts hides where things are and pulls in all of them.',
    ),
    never(
      'no-orphans',
      {
        orphan: true,
        path: '^src/',
        pathNot: [
          '\\.d\\.ts$',
          TEST_FILE,
          '^src/server/main\\.ts$',
          '^src/web/entry-[^/]+$',
          '^src/web/shell/before-paint\\.js$',
          '^src/service-worker/worker\\.ts$',
        ],
      },
      {},
      'A file that nobody imports and that imports nobody is left over.',
    ),
    never(
      'nothing-unresolved',
      { path: '^(?:src|tests|scripts|bench)/' },
      { couldNotResolve: true, pathNot: '\\?(?:url|raw)$' },
      'An import that resolves to nothing hides from every other rule.',
    ),
    never(
      'only-declared-packages',
      { path: '^(?:src|tests|scripts|bench)/' },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
      'A package that happens to lie in node_modules may be gone tomorrow.',
    ),
    never(
      'server-runs-without-dev-packages',
      { path: '^src/(?:domain|contract|server|sandbox)/', pathNot: TEST_FILE },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: npm('@types') },
      'A production install leaves the dev packages out.',
    ),
  ],
  options: {
    // TypeScript 7 has no compiler interface: with the default parser every .ts file is silently skipped.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Anchored: packages keep their own code in a folder of that name.
    exclude: { path: '^(?:dist|\\.data|test-results)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css', '.d.ts'],
    },
  },
};
