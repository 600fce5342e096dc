/** The commands, their options and their help. */

import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ReadStream } from 'node:tty';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createHandstamp, type Handstamp } from '../client.ts';
import { eventRows, orderFile, orderRows, ticketFile, ticketRows, webhookRows } from './columns.ts';
import { askForKey, type Environment, forgetConnection, readConnection, saveConnection } from './connection.ts';
import { exitCodeHelp, UsageError } from './exit-codes.ts';
import { type Column, type Items, writeCsv, writeFields, writeJson, writeTable } from './formats.ts';
import { listen } from './listen.ts';
import type { Output } from './output.ts';

interface Terminal {
  output: Output;
  env: Environment;
  input: ReadStream;
  /** From then on, Ctrl+C ends the process only through this signal. */
  untilInterrupted(): AbortSignal;
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

interface Asked {
  json?: true;
  event?: string;
  order?: string;
  limit?: number;
}

export function handstampProgram(terminal: Terminal): Command {
  const { output, env } = terminal;
  const program = new Command('handstamp')
    .description(
      'Reads events, orders and tickets of a Handstamp installation, checks guests in, and shows what happens.',
    )
    .version(version)
    .option('--json', 'write JSON instead of a table')
    .addHelpText('after', `\n${exitCodeHelp}\n\n${ENVIRONMENT}`)
    .showHelpAfterError('Run handstamp --help for the commands.')
    .exitOverride();
  const connected = async () => createHandstamp(await readConnection(env));

  connectionCommands(program, terminal);

  const events = program.command('events').description('your events');
  listCommand(events, 'list the events that the key reaches', output, eventRows, async ({ limit }) =>
    upTo(limit, (await connected()).each('/events')),
  );
  showCommand(events, '<event>', output, async (event_id) =>
    (await connected()).get('/events/{event_id}', { event_id }),
  );

  const orders = program.command('orders').description('orders, with personal data of buyers');
  listCommand(orders, 'list orders, the oldest first', output, orderRows, async ({ event, limit }) =>
    upTo(limit, (await connected()).each('/orders', of({ event_id: event }))),
  ).option('--event <id>', 'only those of this event');
  showCommand(orders, '<order>', output, async (order_id) =>
    (await connected()).get('/orders/{order_id}', { order_id }),
  );

  const tickets = program.command('tickets').description('tickets, with personal data of their holders');
  listCommand(tickets, 'list tickets, the oldest first', output, ticketRows, async ({ event, order, limit }) =>
    upTo(limit, (await connected()).each('/tickets', of({ event_id: event, order_id: order }))),
  )
    .option('--event <id>', 'only those of this event')
    .option('--order <id>', 'only those of this order');
  showCommand(tickets, '<ticket>', output, async (ticket_id) =>
    (await connected()).get('/tickets/{ticket_id}', { ticket_id }),
  );

  checkInCommand(program, output, connected);
  webhookCommands(program, terminal, connected);
  exportCommands(program, output, connected);
  return program;
}

const ENVIRONMENT = `Environment:
  HANDSTAMP_URL  address of the installation, such as https://tickets.example
  HANDSTAMP_KEY  an API key, made under Organization, API`;

type Connect = () => Promise<Handstamp>;

function connectionCommands(program: Command, { output, env, input }: Terminal): void {
  program
    .command('login')
    .description('remember an installation and a key, which is asked for or read from standard input')
    .requiredOption('--url <url>', 'address of the installation')
    .action(async ({ url }: { url: string }) => {
      if (!URL.canParse(url)) throw new UsageError(`${url} is not an address. Try https://${url}`);
      const key = await askForKey(input, (text) => process.stderr.write(text));
      if (key === '') throw new UsageError('No key was entered');
      const { name } = await createHandstamp({ url, key }).get('/organization');
      const file = await saveConnection(env, { url, key });
      output.note(`Logged in to ${name ?? 'your organization'}. The key is in ${file}.`);
    });
  program
    .command('logout')
    .description('forget the key')
    .action(() => forgetConnection(env));
  program
    .command('whoami')
    .description('show the organization and what the key may do')
    .action(async (_options: Asked, command: Command) => {
      const organization = await createHandstamp(await readConnection(env)).get('/organization');
      await writeOne(output, command, organization);
    });
}

function listCommand<Item>(
  parent: Command,
  description: string,
  output: Output,
  columns: readonly Column<Item>[],
  read: (asked: Asked) => Promise<Items<Item>>,
): Command {
  return parent
    .command('list')
    .description(description)
    .option('--limit <count>', 'stop after this many', countOf)
    .action(async (_options: Asked, command: Command) => {
      const asked = command.optsWithGlobals<Asked>();
      const items = await read(asked);
      await (asked.json ? writeJson(output, items) : writeTable(output, columns, items));
    });
}

function showCommand(parent: Command, id: string, output: Output, read: (id: string) => Promise<object>): void {
  parent
    .command('show')
    .description('show every field of one')
    .argument(id)
    .action(async (given: string, _options: Asked, command: Command) => writeOne(output, command, await read(given)));
}

function checkInCommand(program: Command, output: Output, connected: Connect): void {
  program
    .command('check-in')
    .description('let the guest of a ticket in, once')
    .argument('<ticket>', 'id of the ticket')
    .option('--scan-id <uuid>', 'the same scan, sent again, gets the same answer')
    .action(async (ticket_id: string, { scanId }: { scanId?: string }, command: Command) => {
      const handstamp = await connected();
      const scan_id = scanId ?? crypto.randomUUID();
      await writeOne(output, command, await handstamp.post('/tickets/{ticket_id}/check_in', { ticket_id, scan_id }));
    });
}

interface ListenOptions {
  port: number;
  url?: string;
  types?: string[];
  event?: string;
  forwardTo?: string;
}

function webhookCommands(program: Command, { output, untilInterrupted }: Terminal, connected: Connect): void {
  const group = program.command('webhooks').description('addresses that are called when something happens');
  listCommand(group, 'list webhook endpoints, the newest first', output, webhookRows, async ({ limit }) =>
    upTo(limit, (await (await connected()).get('/webhook_endpoints')).data),
  );
  group
    .command('listen')
    .description('show what happens as it happens, through an endpoint that ends with the command')
    .option('--port <port>', 'of this machine', portOf, 4400)
    .option(
      '--url <url>',
      'where the installation reaches that port, such as through a tunnel; by default on this machine',
    )
    .option('--types <types>', 'only these, with commas between them', (text) => text.split(','))
    .option('--event <id>', 'only what happens in this event')
    .option('--forward-to <url>', 'send each on to a program, whose answer counts')
    .action(async ({ port, url, types, event, forwardTo }: ListenOptions, command: Command) => {
      const json = command.optsWithGlobals<Asked>().json ?? false;
      const handstamp = await connected();
      await listen(handstamp, output, { port, url, types, event, forwardTo, json, until: untilInterrupted() });
    });
}

interface ExportOptions {
  event?: string;
  format: 'csv' | 'json';
  output?: string;
}

function exportCommands(program: Command, output: Output, connected: Connect): void {
  const group = program.command('export').description('write all orders or tickets to a file or to standard output');
  exportCommand(group, 'orders', output, orderFile, async (asked) => (await connected()).each('/orders', asked));
  exportCommand(group, 'tickets', output, ticketFile, async (asked) => (await connected()).each('/tickets', asked));
}

function exportCommand<Item>(
  group: Command,
  what: string,
  output: Output,
  columns: readonly Column<Item>[],
  read: (asked: { event_id?: string }) => Promise<Items<Item>>,
): void {
  group
    .command(what)
    .description(`write ${what}`)
    .option('--event <id>', 'only those of this event')
    .addOption(new Option('--format <format>', 'what to write').choices(['csv', 'json']).default('csv'))
    .option('--output <file>', 'where to write, instead of standard output')
    .action(async ({ event, format, output: file }: ExportOptions) => {
      // Rows that scroll by are progress enough.
      const isShown = file === undefined && output.isTerminal;
      const items = counting(await read(of({ event_id: event })), what, output, !isShown);
      const write = (to: Output) => (format === 'json' ? writeJson(to, items) : writeCsv(to, columns, items));
      await (file === undefined ? write(output) : writeFile(file, output, write));
    });
}

/** Says how many there were, and shows progress until then. */
async function* counting<Item>(items: Items<Item>, what: string, output: Output, showsProgress: boolean) {
  let count = 0;
  for await (const item of items) {
    yield item;
    count += 1;
    if (showsProgress) output.progress(`${count.toLocaleString('en-US')} ${what}`, count);
  }
  output.note(`${count.toLocaleString('en-US')} ${what}`);
}

async function writeFile(file: string, output: Output, write: (to: Output) => Promise<void>): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await write({ ...output, write: async (text) => void (await handle.write(text)) });
  } finally {
    await handle.close();
  }
}

async function writeOne(output: Output, command: Command, item: object): Promise<void> {
  if (command.optsWithGlobals<Asked>().json) await output.write(`${JSON.stringify(item, null, 2)}\n`);
  else await writeFields(output, item);
}

async function* upTo<Item>(limit: number | undefined, items: Items<Item>) {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left <= 0) return;
  }
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('It must be a port, or 0 for any free one.');
  return port;
}

/** Leaves out what was not asked for. */
function of<Fields extends Record<string, string | undefined>>(fields: Fields): { [Name in keyof Fields]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: string;
  };
}
