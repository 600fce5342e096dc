import type { SealPurpose } from '#server/platform/seal.ts';

/** A column of values that are sealed for the row's `id`. The tables belong to this module. */
export interface SealedColumn {
  table: string;
  column: string;
  purpose: SealPurpose;
}

/** Every sealed column. A test compares the list with the database. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'organizations', column: 'tax_id_sealed', purpose: 'tax id' },
  { table: 'user_factors', column: 'secret_sealed', purpose: 'authenticator app' },
];
