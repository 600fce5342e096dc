import type { Generated } from 'kysely';

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
    result: 'first' | 'again' | 'double' | 'refunded' | 'cancelled' | 'disputed' | 'outside-hours' | 'unknown';
  };
}
