import type { Generated } from 'kysely';

type OfflineResult =
  | 'first'
  | 'again'
  | 'double'
  | 'refunded'
  | 'cancelled'
  | 'disputed'
  | 'transferred'
  | 'outside-hours'
  | 'unknown';

export interface CheckInTables {
  checkInDevices: {
    eventId: string;
    id: string;
    name: string;
    enteredAt: Date;
    endsAt: Date | null;
    seenAt: Date;
    pending: Generated<number>;
    removedAt: Date | null;
  };
  offlineScans: {
    eventId: string;
    id: string;
    deviceId: string;
    ticketId: string | null;
    scannedAt: Date;
    receivedAt: Date;
    result: OfflineResult;
  };
}
