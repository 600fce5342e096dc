import type { Db } from '#server/database.ts';

export async function hasPaidCart(db: Db, eventId: string, cartId: string): Promise<boolean> {
  const order = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('cartId', '=', cartId)
    .where('state', '=', 'paid')
    .select('id')
    .executeTakeFirst();
  return order !== undefined;
}
