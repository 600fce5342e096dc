import type { Pace } from '#domain/waiting-room.ts';

/** A room's row, as far as its pace goes. */
export interface PaceColumns {
  calledBefore: number;
  since: Date;
  perMinute: number;
  earlierPaces: { before: number; since: string; perMinute: number }[];
}

/** All paces of a room, oldest first. */
export function pacesOf(room: PaceColumns): Pace[] {
  const earlier = room.earlierPaces.map((pace) => ({ ...pace, since: new Date(pace.since) }));
  return [...earlier, { before: room.calledBefore, since: room.since, perMinute: room.perMinute }];
}
