/** Shared capacities, as organizers enter them: seats that several ticket types sell from. */
import * as z from 'zod/mini';
import { CAPACITY_NAME_MAX, CAPACITY_UNITS_MAX, characterCount, SHARED_CAPACITIES_MAX } from '#domain/limits.ts';
import { nameKey } from '#domain/name-key.ts';
import { because, type FormReason } from './form-problem.ts';
import { quantityOf } from './ticket-types.ts';
import { typedCount } from './typed-count.ts';
import { oneLine } from './typed-text.ts';

const typed = z.union([z.string(), z.number()]);

const capacityForm = z.object({
  /** Set when the row edits an existing capacity. */
  capacityId: z.optional(z.string()),
  name: z.string().check(oneLine()),
  capacity: typed,
  /** What a ticket takes of it, for each ticket type in the order of the form; blank if the type doesn't sell from it. */
  units: z.array(typed),
});

type CapacityRow = z.infer<typeof capacityForm>;

/** Validated as a list, because names must differ between the rows. */
export const capacityRows = z.array(capacityForm).check((rows) => {
  if (rows.value.length > SHARED_CAPACITIES_MAX) report(rows, [], 'capacities.too-many');
  const names = new Set<string>();
  rows.value.forEach((row, index) => {
    const name = row.name.trim();
    if (!name) report(rows, [index, 'name'], 'capacity-name.missing');
    if (characterCount(name) > CAPACITY_NAME_MAX) report(rows, [index, 'name'], 'capacity-name.too-long');
    if (name && names.has(nameKey(name))) report(rows, [index, 'name'], 'capacity-name.taken');
    names.add(nameKey(name));
    if (quantityOf(row.capacity) === null) report(rows, [index, 'capacity'], 'capacity-size.invalid');
    if (row.units.every((units) => unitsOf(units) === null))
      report(rows, [index, 'units', 0], 'capacity-units.missing');
    row.units.forEach((units, type) => {
      if (unitsOf(units) === undefined) report(rows, [index, 'units', type], 'capacity-units.invalid');
    });
  });
});

export interface ParsedCapacity {
  capacityId: string | undefined;
  name: string;
  capacity: number;
  units: (number | null)[];
}

/** Of a valid row. */
export const parseCapacity = (row: CapacityRow): ParsedCapacity => ({
  capacityId: row.capacityId,
  name: row.name.trim(),
  capacity: quantityOf(row.capacity) ?? 0,
  units: row.units.map((units) => unitsOf(units) ?? null),
});

const unitsOf = (units: string | number) => typedCount(units, CAPACITY_UNITS_MAX);

type Rows = { value: CapacityRow[]; issues: z.core.$ZodRawIssue[] };

function report(rows: Rows, path: (string | number)[], reason: FormReason) {
  rows.issues.push({ code: 'custom', input: rows.value, path, message: because(reason) });
}
