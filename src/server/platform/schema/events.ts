import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PausedSales } from '#domain/order.ts';
import type { EventTerms } from '#domain/payouts/refund-costs.ts';
import type { AccessKind } from '#domain/sales/access.ts';
import type { NameRule, Question } from '#domain/sales/guest-form.ts';
import type { PageContent } from '#domain/sales/page-versions.ts';

export interface EventsTables {
  events: {
    id: string;
    recordId: string;
    organizationId: string;
    title: string;
    subtitle: string | null;
    description: string;
    street: string;
    city: string;
    state: string;
    postalCode: string;
    venueName: string | null;
    timezone: string;
    startsAt: Date;
    endsAt: Date;
    announcedStartsAt: Date | null;
    /** The latest start announced since the first sale. Early check-ins are judged by it. */
    latestStartsAt: GeneratedAlways<Date>;
    announcedEndsAt: Date | null;
    /** The latest end announced since the first sale. Refund and payout windows count from it. */
    latestEndsAt: GeneratedAlways<Date>;
    participants: string;
    latitude: number;
    longitude: number;
    attendantCode: string;
    attendantCodeVersion: Generated<number>;
    processingFeeWaived: Generated<boolean>;
    /** The only source of the event's fees: of the plan when it was published. */
    feeTerms: ColumnType<EventTerms, string, string>;
    /** Null: a draft. */
    publishedAt: Date | null;
    isPublished: GeneratedAlways<boolean>;
    /** Of the request that made it as a copy. */
    duplicateId: string | null;
    seriesId: string | null;
    /** Of what its page shows; 0 if it was never published. */
    pageVersion: Generated<number>;
    cancelledAt: Date | null;
    payoutRequestedAt: Generated<Date | null>;
    createdAt: Date;
    salesStartAt: Date | null;
    /** Both null: tickets are checked in at any time. */
    checkInOpensAt: Date | null;
    checkInClosesAt: Date | null;
    /** Null: no waiting room. */
    buyersPerMinute: number | null;
    maxPerOrder: Generated<number>;
    allowsRepeatedFreeOrders: Generated<boolean>;
    allowsTicketTransfer: Generated<boolean>;
    /** On its organization's page and in the sitemap. */
    isListed: Generated<boolean>;
    /** Check-in devices find guests by name. */
    allowsNameSearch: Generated<boolean>;
    /** Websites that may show its tickets in a frame. */
    embedOrigins: Generated<string[]>;
    /** A check-in looks for something to show. */
    hasDoorNotes: Generated<boolean>;
    /** What buyers are asked, if anything. */
    formVersion: number | null;
    /** Set by an operator, with the reason. */
    salesStoppedAt: Generated<Date | null>;
    salesStoppedBy: Generated<string | null>;
    stopReason: Generated<string | null>;
    /** Copies of what holds for the organization. */
    suspendedAt: Generated<Date | null>;
    paidSalesStoppedAt: Generated<Date | null>;
    pausedSales: GeneratedAlways<PausedSales | null>;
  };
  series: { id: string; organizationId: string; createdAt: Date };
  /** Who changes what is null once it is over. */
  seriesChanges: {
    id: string;
    seriesId: string;
    userId: string | null;
    kind: 'edit' | 'cancel';
    edit: ColumnType<object | null, string | null, null>;
    createdAt: Date;
    completedAt: Date | null;
  };
  seriesChangeDates: {
    eventId: string;
    changeId: string;
    /** The date whose form was edited; one in scope; one that takes the title alone. */
    part: 'own' | 'scope' | 'title';
    /** Null: it waits for its turn. */
    result: 'updated' | 'unchanged' | 'cancelled' | 'denied' | null;
    denial: string | null;
    denialParams: ColumnType<Record<string, string | number | null> | null, string | null, string | null>;
  };
  waitingRooms: {
    eventId: string;
    lastPass: Generated<number>;
    drawSize: number | null;
    drawSecretId: Generated<Buffer | null>;
    calledBefore: Generated<number>;
    since: Date;
    perMinute: number;
    pausedAt: Generated<Date | null>;
    earlierRates: ColumnType<{ before: number; since: string; perMinute: number }[], string | undefined, string>;
    calledThrough: Generated<number>;
  };
  waitingRoomPresence: { eventId: string; minute: number; block: number; seen: string };
  waitingRoomSkips: { eventId: string; position: number; calledAt: Date | null };
  waitingRoomNetworks: { eventId: string; networkHash: number; passes: number };
  ticketTypes: {
    eventId: string;
    id: string;
    position: number;
    name: string;
    description: string;
    priceCents: number;
    quantity: number;
    reserved: Generated<number>;
    available: GeneratedAlways<number>;
    /** Its event's, which the database copies. */
    isPublished: Generated<boolean>;
    removedAt: Date | null;
    salesFrom: Date | null;
    salesUntil: Date | null;
    minPerOrder: Generated<number>;
    maxPerOrder: number | null;
    sharesCapacity: Generated<boolean>;
    /** The type that this one waits for, until it has opened. */
    opensAfter: string | null;
    openedAt: Date | null;
    /** Sold and shown only with a promo code that unlocks it. */
    isHidden: Generated<boolean>;
    /** Buyers name it: at least `priceCents`. */
    hasNamedPrice: Generated<boolean>;
    suggestedCents: number | null;
    /** Handed out at the door; doesn't admit. */
    isAddOn: Generated<boolean>;
    access: AccessKind | null;
  };
  /** The questions are in their order. */
  guestForms: {
    eventId: string;
    version: number;
    asksNames: NameRule;
    questions: ColumnType<Question[], string, never>;
    createdAt: Date;
  };
  /** That prices include, each from a moment on. */
  eventTaxes: { eventId: string; since: Date; rate: number; label: string };
  sharedCapacities: {
    eventId: string;
    id: string;
    position: number;
    name: string;
    capacity: number;
    reserved: Generated<number>;
    free: GeneratedAlways<number>;
  };
  sharedCapacityMembers: { eventId: string; ticketTypeId: string; sharedCapacityId: string; units: number };
  eventChanges: {
    eventId: string;
    id: string;
    street: string;
    city: string;
    state: string;
    postalCode: string;
    timezone: string;
    startsAt: Date;
    endsAt: Date;
    venueName: string | null;
    changedAt: Date;
    /** At least half of the tickets were sold or reserved. */
    isHalfSold: boolean;
  };
  /** Each state of what the page of a published event showed, by the hash of its text. */
  eventPageContents: { eventId: string; hash: string; content: ColumnType<PageContent, string, string> };
  eventPageVersions: {
    eventId: string;
    version: number;
    hash: string;
    changedAt: Date;
    /** Buyers find it under *Changes*. */
    isListed: boolean;
    /** Had sales when their price changed. */
    repricedTypes: Generated<string[]>;
  };
  lookFiles: { hash: string; css: string; createdAt: Date };
  /** No longer written. */
  eventTexts: { eventId: string; id: string; title: string; description: string; replacedAt: Date };
  eventPhotos: {
    eventId: string;
    id: string;
    position: number;
    fileName: string;
    createdAt: Date;
    /** In percent; both null: the middle. */
    focusX: number | null;
    focusY: number | null;
    altText: Generated<string>;
    /** At most one of an event. */
    isCover: Generated<boolean>;
  };
  /** Their views are in `link_views`. */
  trackingLinks: {
    eventId: string;
    id: string;
    slug: string;
    name: string;
    createdAt: Date;
    removedAt: Date | null;
  };
  /** A view: the rolled-up totals plus the rows not yet rolled up. */
  ticketTotalsNow: {
    eventId: string;
    ticketTypeId: string;
    priceCents: number;
    isDisputed: boolean;
    issued: number;
    sold: number;
    scanned: number;
    voided: number;
    changes: number;
  };
}
