/**
 * One fact, one place, in SQL too. Reads every statement of the server, in TypeScript and in SQL functions: a table is written by
 * the module that declares it, and what the order core does is done nowhere else.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

interface Source {
  path: string;
  text: string;
}

interface Write {
  path: string;
  table: string;
  /** Columns that an update sets; empty for inserts and deletes. */
  columns: string[];
}

const sourcesOf = async (patterns: string[]): Promise<Source[]> =>
  Promise.all(
    (await filesOf(patterns)).map(async (path) => ({ path, text: await readFile(join(repository, path), 'utf8') })),
  );

const server = (await sourcesOf(['src/server/**/*.ts', 'src/server/**/*.sql'])).filter(
  ({ path }) => !path.endsWith('.test.ts'),
);
const migrations = await sourcesOf(['migrations/*.sql']);

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const moduleOf = (path: string) => path.split('/')[2] ?? '';

/** Who may write what it does not own, and why. */
const EXCEPTIONS: Record<string, string> = {
  'src/server/backoffice/privacy/': 'Erases people, and what is past its time, from every table.',
  'src/server/main/demo/': 'Moves the demo into the past, which no use case can do.',
};

/** The module of each table, and of each column that another module's migration adds. */
function ownersIn(files: readonly Source[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { path, text } of files) {
    const module = /\d+-(\w+)\.sql$/.exec(path)?.[1] ?? '';
    for (const [, table = ''] of text.matchAll(/^create (?:unlogged )?table (\w+)/gm)) owners.set(table, module);
    for (const [, table = '', body = ''] of text.matchAll(/^alter table (\w+)\s([^;]*);/gm))
      for (const [, column = ''] of body.matchAll(/add column (\w+)/g)) owners.set(`${table}.${column}`, module);
  }
  return owners;
}

function writesIn(files: readonly Source[]): Write[] {
  return files.flatMap(({ path, text }) => {
    const raw = [...text.matchAll(/\b(?:insert into|delete from) (\w+)/g)].map(([, table = '']) => ({
      table,
      columns: [],
    }));
    const updates = [
      ...text.matchAll(/\bupdate (\w+)(?: (?!set\b)\w+)?\s+set ([\s\S]*?)(?:\bfrom\b|\bwhere\b|returning|;|`)/g),
    ].map(([, table = '', set = '']) => ({
      table,
      columns: [...set.matchAll(/(?:^|,)\s*(\w+) =/g)].map(([, column = '']) => column),
    }));
    const upserts = [...text.matchAll(/\.(?:insertInto|deleteFrom)\('(\w+)/g)].map(([, table = '']) => ({
      table: snakeCase(table),
      columns: [],
    }));
    const changes = [
      ...text.matchAll(/\.updateTable\('(\w+)[^']*'\)\s*\.set\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g),
    ].map(([, table = '', set = '']) => ({
      table: snakeCase(table),
      columns: [...set.matchAll(/(\w+)(?=:|,| \})/g)].map(([, column = '']) => snakeCase(column)),
    }));
    return [...raw, ...updates, ...upserts, ...changes].map((write) => ({ path, ...write }));
  });
}

function foreignWrites(files: readonly Source[]): string[] {
  const owners = ownersIn(migrations);
  return writesIn(files)
    .filter(({ path }) => !Object.keys(EXCEPTIONS).some((exception) => path.startsWith(exception)))
    .flatMap(({ path, table, columns }) => {
      const owner = owners.get(table);
      if (!owner) return [];
      const own = columns.map((column) => owners.get(`${table}.${column}`) ?? owner);
      return [...new Set(own.length > 0 ? own : [owner])]
        .filter((module) => module !== moduleOf(path))
        .map((module) => `${path} writes ${table}, which ${module} owns`);
    });
}

describe('each table', () => {
  it('is written by the module that declares it', () => {
    expect(writesIn(server).length).toBeGreaterThan(100);
    expect(foreignWrites(server)).toEqual([]);
  });

  it.each([
    ['src/server/payments/planted.sql.ts', "await tx.updateTable('tickets').set({ state: 'refunded' }).execute();"],
    ['src/server/checkin/planted.sql.ts', "sql`update tickets t set state = 'scanned' where t.id = ${id}`"],
    [
      'src/server/events/planted.functions.sql',
      'update ticket_types t set reserved = t.reserved - 1 where t.id = one;',
    ],
    ['src/server/orders/planted.functions.sql', 'insert into ledger_entries (event_id) values (one);'],
    ['src/server/orders/planted.sql.ts', "db.insertInto('emailOutbox').values(email)"],
    ['src/server/accounts/planted.sql.ts', "db.deleteFrom('events').where('id', '=', id)"],
  ])('is defended against %s', (path, text) => {
    expect(foreignWrites([{ path, text }])).toHaveLength(1);
  });
});

/** What the core does, how a statement or a rule that does it looks, and where the only one is. */
const FACTS: { what: string; looksLike: RegExp; at: string; twin: string }[] = [
  {
    what: 'reserving tickets',
    looksLike: /insert into orders\b[^;]*'reserved'|insertInto\('orders'\)/,
    at: 'src/server/orders/core/reserve.functions.sql',
    twin: "db.insertInto('orders').values(order)",
  },
  {
    what: 'rebuilding a lost order',
    looksLike: /insert into orders\b(?![^;]*'reserved')/,
    at: 'src/server/orders/core/rebuild.functions.sql',
    twin: "sql`insert into orders (event_id, id, state) values (${eventId}, ${id}, 'paid')`",
  },
  {
    what: 'changing the stock',
    looksLike: /\bset reserved\b|reserved: column|\breserved = \w*\.?reserved/,
    at: 'src/server/orders/core/stock.functions.sql',
    twin: "db.updateTable('ticketTypes').set((column) => ({ reserved: column('reserved', '-', 1) }))",
  },
  {
    what: 'issuing tickets',
    looksLike: /insert into tickets\b|insertInto\('tickets'\)/,
    at: 'src/server/orders/core/complete.functions.sql',
    twin: "db.insertInto('tickets').values(tickets)",
  },
  {
    what: 'making a confirmation number',
    looksLike: /1000000000 \+|1_000_000_000/,
    at: 'src/server/orders/core/complete.functions.sql',
    twin: 'const newConfirmationNumber = () => String(randomInt(1_000_000_000, 10_000_000_000));',
  },
  {
    what: 'completing an order',
    looksLike: /set state = 'paid', session_id|state: 'paid',\s+sessionId/,
    at: 'src/server/orders/core/complete.functions.sql',
    twin: "await setOrderState(tx, order, { state: 'paid', sessionId });",
  },
  {
    what: 'admitting a guest',
    looksLike: /set state = 'scanned'|set\(\{ state: 'scanned'/,
    at: 'src/server/orders/core/admit.functions.sql',
    twin: "sql`update tickets set state = 'scanned', scanned_at = business_now()`",
  },
  {
    what: 'the rule of who may be admitted',
    looksLike: /state === 'valid' && \w*\.?disputedAt|state = 'valid' and \w*\.?disputed_at is null/,
    at: 'src/server/orders/core/admit.functions.sql',
    twin: "const isAdmissible = ({ state, disputedAt }) => state === 'valid' && disputedAt === null;",
  },
  {
    what: 'voiding tickets',
    looksLike: /set state = 'void'|set\(\{ state: 'void'/,
    at: 'src/server/orders/core/tickets.sql.ts',
    twin: "db.updateTable('tickets').set({ state: 'void' })",
  },
  {
    what: 'refunding a ticket',
    looksLike: /tickets set state = 'refunded'|set\(\{ state: 'refunded' \}\)/,
    at: 'src/server/orders/core/tickets.sql.ts',
    twin: "db.updateTable('tickets').set({ state: 'refunded' })",
  },
  {
    what: "recording a sale's money",
    looksLike: /kind: 'sale'|\('sale', \w+, 'processor'/,
    at: 'src/server/ledger/ledger.functions.sql',
    twin: "await writeLedger(db, { ...sale, kind: 'sale', entries });",
  },
  {
    what: 'queueing an email',
    looksLike: /insert into email_outbox\b|insertInto\('emailOutbox'\)/,
    at: 'src/server/platform/platform.functions.sql',
    twin: "db.insertInto('emailOutbox').values(email)",
  },
  {
    what: 'the states of sold tickets',
    looksLike: /\['valid', 'scanned'\]|in \('valid', 'scanned'\)/,
    at: 'src/server/events/events.functions.sql',
    twin: "sql`select count(*) from tickets where state in ('valid', 'scanned')`",
  },
  {
    what: 'the hold before a settlement',
    looksLike: /interval '24 hours'/,
    at: 'src/server/events/events.functions.sql',
    twin: "sql`latest_ends_at + interval '24 hours' <= business_now()`",
  },
  {
    what: 'when a check-in is early',
    looksLike: /scanned_at < \w*\.?starts_at - interval/,
    at: 'src/server/orders/core/admit.functions.sql',
    twin: "sql`scanned_at < starts_at - interval '12 hours'`",
  },
  {
    what: 'until when an event sells',
    looksLike: /cancelled_at is null and \w*\.?ends_at >|cancelled_at is null and now </,
    at: 'src/server/events/events.functions.sql',
    twin: 'select e.cancelled_at is null and e.ends_at > moment as sells',
  },
  {
    what: 'how many tickets are available',
    looksLike: /\bquantity - (?:\w+\.)?reserved/,
    at: 'migrations/0005-orders.sql',
    twin: 'const left = type.quantity - type.reserved;',
  },
];

const placesOf = (looksLike: RegExp, files: readonly Source[]) =>
  files
    .filter(({ path, text }) => !path.startsWith('src/server/main/demo/') && looksLike.test(text))
    .map(({ path }) => path);

describe.each(FACTS)('$what', ({ looksLike, at, twin }) => {
  it('has one place', () => {
    expect(placesOf(looksLike, [...server, ...migrations])).toEqual([at]);
  });

  it('is found when it has a twin', () => {
    const planted = { path: 'src/server/payments/planted.ts', text: twin };
    expect(placesOf(looksLike, [...server, planted])).toContain(planted.path);
  });
});
