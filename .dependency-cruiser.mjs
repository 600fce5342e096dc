/**
 * The import rule (ARCHITECTURE.md, "The rule"), checked. Each entry says which files, and what they may not reach.
 * tests/house/import-rule.test.ts plants a violation of every entry and expects its name.
 */

/** The server's modules, top to bottom: an import goes down this list, never up. */
const MODULES = [
  'main',
  'backoffice',
  'emails',
  'checkin',
  'payments',
  'orders',
  'events',
  'accounts',
  'ledger',
  'platform',
];
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
      'The contract is read by both sides, so it may cost neither of them anything. It names codes; messages have the text.',
    ),
    never(
      'messages-import-the-contract',
      { path: '^src/messages/', pathNot: TEST_FILE },
      { pathNot: ['^src/messages/', '^src/contract/', '^src/domain/'] },
      'Texts are data: anything but the contract may show them.',
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
      'It plays Stripe. Knowing the product would let both share one mistake.',
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
      ['^src/sandbox/', '^src/server/main/'],
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

    never(
      'client-stands-alone',
      { path: '^clients/', pathNot: TEST_FILE },
      { pathNot: ['^clients/', 'node_modules'], dependencyTypesNot: ['core'] },
      'It is published without the product, and knows only its description.',
    ),

    // Inside the server.
    ...MODULES.slice(1).map((module, index) =>
      never(
        `${module}-imports-down`,
        { path: `^src/server/${module}/`, pathNot: TEST_FILE },
        { path: `^src/server/(?:${MODULES.slice(0, index + 1).join('|')})/` },
        'News travels up as a job or an outbox row. What needs two modules that may not know each other meets in main.',
      ),
    ),
    never(
      'server-files-belong-to-a-module',
      { path: `^src/server/(?!(?:${MODULES.join('|')})/)` },
      {},
      'A file outside the ten modules escapes the rules between them.',
    ),
    never(
      'sql-is-private-to-its-module',
      {
        path: '^src/server/([^/]+)/',
        pathNot: ['^src/server/(?:backoffice|main)/', TEST_FILE],
      },
      { path: '^src/server/.+\\.(?:sql|replies)\\.ts$', pathNot: '^src/server/(?:$1|platform|orders/core)/' },
      "A module asks another through its use cases; queries and wire names stay their owner's. The order core is an interface, and back office reads everything.",
    ),
    never(
      'sql-decides-nothing',
      { path: '^src/server/.+\\.sql\\.ts$' },
      { path: '^src/server/(?!platform/).+(?<!\\.sql)\\.ts$' },
      'Queries are called; they call no use case.',
    ),
    never(
      'only-main-mounts-routes',
      { path: '^src/server/(?!main/)', pathNot: ['\\.routes\\.ts$', TEST_FILE] },
      { path: '\\.routes\\.ts$' },
      'Routes are mounted in one place.',
    ),
    only(
      'only-sql-reaches-the-database',
      [
        '\\.sql\\.ts$',
        '^src/server/platform/(?:database|migrate)\\.ts$',
        '^src/server/platform/(?:migrations|schema)/',
        '^src/server/main/worker\\.ts$',
        '^src/server/platform/adapters/embedded-postgres/',
        '^src/sandbox/',
      ],
      npm('pg', 'pg-pool', 'pg-protocol', '@types/pg', 'kysely'),
      'Every query stands in one file next to its callers.',
    ),
    only(
      'only-routes-know-fastify',
      ['^src/server/platform/http/', '\\.routes\\.ts$', '^src/server/main/', '^src/sandbox/'],
      npm('fastify', '@fastify'),
      'A use case also runs from a job, without HTTP.',
    ),
    only(
      'only-adapters-know-a-vendor',
      ['^src/server/platform/adapters/'],
      npm(
        'stripe',
        'passkit-generator',
        'nodemailer',
        '@types/nodemailer',
        'flydrive',
        '@aws-sdk',
        'zipcodes',
        '@embedded-postgres',
        'standardwebhooks',
        'ipaddr\\.js',
      ),
      "A vendor's vocabulary stops at its adapter.",
    ),
    only(
      'only-photos-and-emails-render-images',
      ['^src/server/events/(?:photos|share-card|share-kit)/', '^src/server/emails/'],
      npm('sharp'),
      'Images are decoded in one place, which bounds their size.',
    ),
    only(
      'only-accounts-know-secrets',
      ['^src/server/accounts/', '^src/server/platform/adapters/wallets/'],
      npm('@node-rs/argon2', 'jose'),
      'Passwords and tokens are made and read in one place.',
    ),
    only(
      'only-the-worker-knows-the-queue',
      ['^src/server/main/worker\\.ts$', '^src/server/platform/(?:jobs/|migrate\\.ts$)'],
      npm('graphile-worker'),
      'Use cases add a job by SQL, in the transaction that causes it.',
    ),
    only(
      'only-main-chooses-adapters',
      ['^src/server/main/', '^src/server/platform/adapters/'],
      '^src/server/platform/adapters/',
      'The product does not know which payment processor or mail server it talks to.',
    ),
    never(
      'only-the-ledger-writes-money',
      { path: '^src/server/', pathNot: ['^src/server/ledger/', TEST_FILE] },
      { path: '^src/server/ledger/[^/]+\\.sql\\.ts$' },
      'One module writes the movements of money.',
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
          '^src/server/main/main\\.ts$',
          '^src/web/entry-[^/]+$',
          '^src/web/shell/before-paint\\.js$',
          '^src/web/app/(?:embed|preview)\\.js$',
          '^src/service-worker/worker\\.ts$',
        ],
      },
      {},
      'A file that nobody imports and that imports nobody is left over.',
    ),
    never(
      'nothing-unresolved',
      { path: '^(?:clients|src|tests|scripts|bench)/' },
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
      { path: '^src/(?:domain|contract|messages|server|sandbox)/', pathNot: TEST_FILE },
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
