/** The tables after all migrations, module by module. Columns are camelCase here and snake_case in the database. */

import type { AccountsTables } from './schema/accounts.ts';
import type { BackOfficeTables } from './schema/backoffice.ts';
import type { CheckInTables } from './schema/checkin.ts';
import type { EventsTables } from './schema/events.ts';
import type { LedgerTables } from './schema/ledger.ts';
import type { OrdersTables } from './schema/orders.ts';
import type { PaymentsTables } from './schema/payments.ts';
import type { PlatformTables } from './schema/platform.ts';

export interface Schema
  extends PlatformTables,
    LedgerTables,
    AccountsTables,
    EventsTables,
    OrdersTables,
    PaymentsTables,
    CheckInTables,
    BackOfficeTables {}
