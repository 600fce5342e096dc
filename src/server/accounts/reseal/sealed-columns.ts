import type { SealPurpose } from '#server/platform/seal.ts';

/** A column of values that are sealed for the row's `id`. Sealing again changes no value, so it may write to tables of other modules. */
export interface SealedColumn {
  table: string;
  column: string;
  purpose: SealPurpose;
}

/** Every sealed column. A test compares the list with the database. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'organizations', column: 'tax_id_sealed', purpose: 'tax id' },
  { table: 'user_factors', column: 'secret_sealed', purpose: 'authenticator app' },
  { table: 'webhook_endpoints', column: 'secrets_sealed', purpose: 'webhook secrets' },
];
