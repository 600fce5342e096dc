/** Guests at no charge, from a file. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

/** The index of a column. Blank: none, or the one whose heading says so. */
const column = z.optional(z.string().check(z.regex(/^\d{0,2}$/)));

export const rowProblemReasons = ['email', 'type', 'quantity', 'name', 'note'] as const;

const rowProblem = z.object({
  /** As spreadsheets count: the headings are row 1. */
  row: z.int(),
  reason: z.enum(rowProblemReasons),
  /** What the cell says. */
  value: z.string(),
});

export type RowProblem = z.infer<typeof rowProblem>;

/** The form's file is a CSV in UTF-8 whose first row has headings. Adds all of its guests, or none. */
export const importGuests = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/import-guests',
  access: 'organizer',
  upload: true,
  input: z.object({
    eventId: z.string(),
    /** The same id imports the file once. */
    importId: z.uuid(),
    /** Only shows what the import would do. */
    dryRun: z.optional(z.enum(['1', ''])),
    emailColumn: column,
    typeColumn: column,
    quantityColumn: column,
    nameColumn: column,
    noteColumn: column,
    /** The type of guests whose row names none. */
    ticketId: z.optional(z.string()),
    raisesQuantity: z.optional(z.enum(['1', ''])),
  }),
  reply: z.object({
    isImported: z.boolean(),
    headings: z.array(z.string()),
    /** The columns that were read; null for none. */
    columns: z.object({
      email: z.nullable(z.int()),
      type: z.nullable(z.int()),
      quantity: z.nullable(z.int()),
      name: z.nullable(z.int()),
      note: z.nullable(z.int()),
    }),
    /** Without those that have a problem. */
    guests: z.int(),
    tickets: z.int(),
    /** Guests without an address, who get no email. */
    unaddressed: z.int(),
    /** The first of them. */
    sample: z.array(
      z.object({
        email: z.nullable(z.string()),
        name: z.nullable(z.string()),
        doorNote: z.nullable(z.string()),
        ticketName: z.string(),
        quantity: z.int(),
      }),
    ),
    /** All of them. */
    problems: z.array(rowProblem),
    /** Types with fewer tickets left than the file has. */
    short: z.array(z.object({ ticketName: z.string(), wanted: z.int(), left: z.int() })),
  }),
});

export type ImportPreview = z.infer<(typeof importGuests)['reply']>;
