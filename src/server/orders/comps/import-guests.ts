/** Adds the guests of a file at no charge. One transaction reserves all of their tickets; a job issues them. See docs/decisions/0064. */
import { readFile } from 'node:fs/promises';
import type { importGuests as endpoint } from '#contract/app/sales/import-guests.ts';
import type { InputOf, ReplyOf } from '#contract/endpoint.ts';
import { IMPORT_BYTES_MAX } from '#domain/limits.ts';
import { authorizeEvent } from '#server/events/authorize-event.ts';
import { typesLeft } from '#server/orders/core/comps.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { UploadedFile } from '#server/platform/http/upload.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { consumeLimit } from '#server/platform/rate-limit.ts';
import { columnsOf, guestsIn, readTable } from './guest-file.ts';
import { type GuestToAdd, reserveBatch, wantedOf } from './reserve-batch.ts';

type Import = InputOf<typeof endpoint>;
type Preview = ReplyOf<typeof endpoint>;

const SAMPLE_ROWS = 5;

export async function importGuests(
  deps: Pick<Deps, 'db' | 'clock' | 'rateLimiter'>,
  actor: Actor,
  input: Import,
  files: readonly UploadedFile[],
): Promise<Preview> {
  const { eventId, ticketId, emailColumn, typeColumn, quantityColumn, nameColumn, noteColumn } = input;
  await authorizeEvent(deps, actor, 'comp.manage', eventId);
  if (input.raisesQuantity) await authorizeEvent(deps, actor, 'event.edit', eventId);
  await consumeLimit(deps.rateLimiter, 'import-guests', actor.organizationId);

  const table = readTable(await bytesOf(files));
  const columns = columnsOf(table, {
    email: emailColumn,
    type: typeColumn,
    quantity: quantityColumn,
    name: nameColumn,
    note: noteColumn,
  });
  const namesNoOne = columns.email === null && columns.name === null;
  const types = await typesLeft(deps.db, eventId);
  const { guests, problems } = namesNoOne
    ? { guests: [], problems: [] }
    : guestsIn(table, { columns, types, ticketId });

  if (!input.dryRun) {
    if (namesNoOne) throw new AppError('import.no-guest-column');
    const [first] = problems;
    if (first)
      throw new AppError('import.invalid-rows', { ...first, count: new Set(problems.map(({ row }) => row)).size });
    await addAll(deps, actor, input, guests);
  }
  const wanted = wantedOf(guests);
  const nameOf = (id: string) => types.find((type) => type.id === id)?.name ?? '';
  return {
    isImported: !input.dryRun,
    headings: table.headings,
    columns,
    guests: guests.length,
    tickets: ticketsOf(guests),
    unaddressed: guests.filter(({ email }) => email === undefined).length,
    sample: guests
      .slice(0, SAMPLE_ROWS)
      .map(({ email = null, name = null, doorNote = null, ticketId: id, quantity }) => ({
        email,
        name,
        doorNote,
        ticketName: nameOf(id),
        quantity,
      })),
    problems,
    short: types.flatMap(({ id, name: ticketName, left }) => {
      const needed = wanted.get(id) ?? 0;
      return input.dryRun && needed > left ? [{ ticketName, wanted: needed, left }] : [];
    }),
  };
}

async function bytesOf(files: readonly UploadedFile[]): Promise<Buffer> {
  // A form with no file chosen sends one empty part without a name.
  const [file] = files.filter(({ fileName, isEmpty }) => fileName || !isEmpty);
  if (!file) throw new AppError('import.no-file');
  const bytes = file.isTooLarge ? null : await readFile(file.path);
  if (bytes === null || bytes.length > IMPORT_BYTES_MAX) throw new AppError('import.too-large');
  return bytes;
}

function addAll(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { eventId, importId: batchId, raisesQuantity }: Import,
  guests: readonly GuestToAdd[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const batch = { eventId, batchId, guests, raisesQuantity: Boolean(raisesQuantity), isImport: true };
    if (!(await reserveBatch(tx, actor, batch))) return;
    await enqueue(tx, 'issue-comps', { eventId, batchId });
    const subject = { subject: batchId, eventId, params: { tickets: ticketsOf(guests) }, at: clock.now() };
    await recordAuditEvent(tx, { action: 'import-guests', by: actor, ...subject });
  });
}

const ticketsOf = (guests: readonly GuestToAdd[]): number => guests.reduce((sum, { quantity }) => sum + quantity, 0);
