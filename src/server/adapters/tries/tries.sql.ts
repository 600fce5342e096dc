import { CompiledQuery } from 'kysely';
import type { Db } from '#server/database.ts';

/** The table in the shape that the limiter's library asks for: something with `query`. */
export function triesClient(db: Db) {
  return {
    async query(statement: { text: string; values?: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(
        CompiledQuery.raw(statement.text, statement.values ?? []),
      );
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    },
  };
}
