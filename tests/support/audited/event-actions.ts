/** How each audited action on events, check-in and refunds comes about. */
import { randomUUID } from 'node:crypto';
import { changeAttendantCode, checkGuest } from '#contract/app/check-in.ts';
import { removeDevice, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { objectToCheckIn } from '#contract/app/early-check-ins.ts';
import { cancelEvent, createEvent } from '#contract/app/events.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import { deleteMyRecords, requestRecordsLink } from '#contract/app/privacy.ts';
import { editEmbed } from '#contract/app/programs/embed.ts';
import { editEventTax } from '#contract/app/records/event-tax.ts';
import { addTrackingLink, removeTrackingLink } from '#contract/app/records/links.ts';
import { keepTicket, requestRefund } from '#contract/app/refunds.ts';
import { withdrawComp } from '#contract/app/sales/comps.ts';
import { editDoorNote } from '#contract/app/sales/door-notes.ts';
import { addDates } from '#contract/app/sales/event-dates.ts';
import { deleteDraft, duplicateEvent, publishEvent, takeDownEvent } from '#contract/app/sales/event-life.ts';
import { checkInFoundGuest, editNameSearch, findGuests } from '#contract/app/sales/find-guests.ts';
import { printedGuests } from '#contract/app/sales/guest-table.ts';
import { refundTickets } from '#contract/app/sales/orders.ts';
import { addPromoCode, editPromoCode, endPromoCode } from '#contract/app/sales/promo-codes.ts';
import { correctEmail, transferTicket } from '#contract/app/sales/ticket-transfers.ts';
import { DRAFT_YEARS } from '#domain/retention.ts';
import { sweepDrafts } from '#server/events/life/sweep-drafts.ts';
import { reconcile } from '#server/payments/reconciliation/reconcile.ts';
import { deviceAt } from '#tests/support/check-in-devices.ts';
import { addGuests, compsOf, importFile } from '#tests/support/comps.ts';
import { copiesOfEvent } from '#tests/support/copied-events.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { askBuyers } from '#tests/support/guest-forms.ts';
import { newLink } from '#tests/support/links.ts';
import { loseOrder } from '#tests/support/lost-order.ts';
import { openPayout } from '#tests/support/money.ts';
import { attendantOf, eventForm, expectOk, linkTo } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { noonIn } from '../local-days.ts';
import type { Stage } from './occasion.ts';

export function eventActions({ app, newPerson, newSeller, owner, ticketsOf, by, byNobody }: Stage) {
  const { eventId, organization } = owner;
  const newComp = async () => {
    expectOk(await addGuests(owner, [{ email: 'guest@example.com' }]));
    const [comp] = await compsOf(owner);
    return comp?.ticketId ?? '';
  };
  const newDraft = async () => {
    const seller = await newSeller();
    const draft = { ...eventForm(app), isDraft: true };
    return { seller, draftId: expectOk(await seller.visitor.call(createEvent, draft)).eventId };
  };
  return {
    async 'create-event'() {
      const person = await newPerson();
      const occasion = by(person, async () => {
        occasion.event = expectOk(await person.visitor.call(createEvent, eventForm(app))).eventId;
      });
      return occasion;
    },
    async 'edit-event'() {
      return by(owner, () => editEventOf(app, owner, { title: 'Basement Bass' }), eventId);
    },
    async 'add-promo-code'() {
      return by(owner, () => owner.visitor.call(addPromoCode, { eventId, ...promoForm('ADDED') }), eventId);
    },
    async 'edit-promo-code'() {
      const promoCodeId = await newPromoCode(owner, promoForm('EDITED'));
      const edit = { eventId, promoCodeId, ...promoForm('EDITED', { value: 30 }) };
      return by(owner, () => owner.visitor.call(editPromoCode, edit), eventId);
    },
    async 'add-comps'() {
      return by(owner, async () => expectOk(await addGuests(owner, [{ email: 'guest@example.com' }])), eventId);
    },
    async 'import-guests'() {
      const csv = 'Email,Ticket type\nguest@example.com,General admission';
      return by(owner, async () => expectOk(await importFile(owner, csv)), eventId);
    },
    async 'withdraw-comp'() {
      const ticketId = await newComp();
      return by(owner, () => owner.visitor.call(withdrawComp, { eventId, ticketId }), eventId);
    },
    async 'correct-email'() {
      await ticketsOf(eventId, 1, 'typo@example.com');
      const { id: orderId } = await app.db
        .selectFrom('orders')
        .where('buyerEmail', '=', 'typo@example.com')
        .select('id')
        .executeTakeFirstOrThrow();
      const correction = { eventId, orderId, email: 'right@example.com' };
      return by(owner, () => owner.visitor.call(correctEmail, correction), eventId);
    },
    async 'transfer-ticket'() {
      await ticketsOf(eventId, 1, 'giver@example.com');
      const token = await linkTo(app, 'giver@example.com', /\/order\/([\w.-]+)/);
      const transfer = { token, position: 1, email: 'holder@example.com' };
      return byNobody(organization, () => app.call(transferTicket, transfer), eventId);
    },
    async 'end-promo-code'() {
      const promoCodeId = await newPromoCode(owner, promoForm('OVER'));
      return by(owner, () => owner.visitor.call(endPromoCode, { eventId, promoCodeId }), eventId);
    },
    async 'edit-questions'() {
      const seller = await newSeller();
      return by(seller, () => askBuyers(seller, { asksNames: 'optional' }), seller.eventId);
    },
    async 'edit-tax'() {
      return by(owner, () => owner.visitor.call(editEventTax, { eventId, percent: '8.875', label: '' }), eventId);
    },
    async 'edit-name-search'() {
      const seller = await newSeller();
      const { eventId: id, visitor } = seller;
      return by(seller, () => visitor.call(editNameSearch, { eventId: id, isOn: true }), id);
    },
    async 'edit-embed-sites'() {
      const seller = await newSeller();
      const { eventId: id, visitor } = seller;
      return by(seller, () => visitor.call(editEmbed, { eventId: id, add: 'https://www.example.com' }), id);
    },
    async 'edit-door-note'() {
      const ticketId = await newComp();
      return by(owner, () => owner.visitor.call(editDoorNote, { eventId, ticketId, doorNote: 'Front row' }), eventId);
    },
    async 'rebuild-order'() {
      const lost = await loseOrder(app, `lost-${randomUUID()}@example.com`);
      const { organizationId } = await app.db
        .selectFrom('events')
        .where('id', '=', lost.eventId)
        .select('organizationId')
        .executeTakeFirstOrThrow();
      const since = new Date(app.now().getTime() - 3_600_000);
      return byNobody(organizationId, () => reconcile(app.deps, since), lost.eventId);
    },
    async 'find-guests'() {
      expectOk(await owner.visitor.call(editNameSearch, { eventId, isOn: true }));
      const { visitor, name } = await deviceAt(app, owner, 'Back door');
      return by({ email: name, organization }, () => visitor.call(findGuests, { eventId, name: 'Ada' }), eventId);
    },
    async 'check-in-found-guest'() {
      expectOk(await owner.visitor.call(editNameSearch, { eventId, isOn: true }));
      const found = { eventId, ticketId: await newComp(), scanId: randomUUID() };
      return by(owner, () => owner.visitor.call(checkInFoundGuest, found), eventId);
    },
    async 'publish-event'() {
      const { seller, draftId } = await newDraft();
      return by(seller, () => seller.visitor.call(publishEvent, { eventId: draftId }), draftId);
    },
    async 'take-down-event'() {
      const seller = await newSeller();
      return by(seller, () => seller.visitor.call(takeDownEvent, { eventId: seller.eventId }), seller.eventId);
    },
    async 'duplicate-event'() {
      const seller = await newSeller();
      const duplicate = { eventId: seller.eventId, duplicateId: randomUUID() };
      const occasion = by(seller, async () => {
        occasion.event = expectOk(await seller.visitor.call(duplicateEvent, duplicate)).eventId;
      });
      return occasion;
    },
    async 'add-dates'() {
      const seller = await newSeller();
      const dates = [noonIn(app.now(), 9)];
      const further = { eventId: seller.eventId, dates, requestId: randomUUID() };
      return by(seller, () => seller.visitor.call(addDates, further), seller.eventId);
    },
    async 'announce-draft-deletion'() {
      const { seller, draftId } = await newDraft();
      // A copy, because the log says of the draft that it was made now.
      const [copy = ''] = await copiesOfEvent(app.db, draftId, 1, () => app.now());
      const createdAt = new Date(app.now().getTime() - DRAFT_YEARS * 365 * 24 * 3_600_000);
      await app.db.updateTable('events').set({ createdAt }).where('id', '=', copy).execute();
      return byNobody(seller.organization, () => sweepDrafts(app.deps), copy);
    },
    async 'delete-draft'() {
      const { seller, draftId } = await newDraft();
      return by(seller, () => seller.visitor.call(deleteDraft, { eventId: draftId }), draftId);
    },
    async 'cancel-event'() {
      const seller = await newSeller();
      return by(seller, () => seller.visitor.call(cancelEvent, { eventId: seller.eventId }), seller.eventId);
    },
    async 'export-guests'() {
      return by(owner, () => owner.visitor.fetch(`/api/protected/event/${eventId}/guests.csv`), eventId);
    },
    async 'export-orders'() {
      return by(owner, () => owner.visitor.fetch(`/api/protected/event/${eventId}/files/orders`), eventId);
    },
    async 'export-check-ins'() {
      return by(owner, () => owner.visitor.fetch(`/api/protected/event/${eventId}/files/check-ins`), eventId);
    },
    async 'add-tracking-link'() {
      const link = { eventId, name: 'Poster', slug: 'poster' };
      return by(owner, () => owner.visitor.call(addTrackingLink, link), eventId);
    },
    async 'remove-tracking-link'() {
      const linkId = await newLink(owner, 'radio');
      return by(owner, () => owner.visitor.call(removeTrackingLink, { eventId, linkId }), eventId);
    },
    async 'print-guests'() {
      return by(owner, () => owner.visitor.call(printedGuests, { eventId }), eventId);
    },
    async 'rotate-attendant-code'() {
      const seller = await newSeller();
      return by(seller, () => seller.visitor.call(changeAttendantCode, { eventId: seller.eventId }), seller.eventId);
    },
    async 'remove-check-in-device'() {
      const { id: deviceId } = await deviceAt(app, owner, 'Side door');
      return by(owner, () => owner.visitor.call(removeDevice, { eventId, deviceId }), eventId);
    },
    async 'undo-check-in'() {
      const [confirmationNumber = ''] = await ticketsOf(eventId, 1);
      const { visitor, name } = await deviceAt(app, owner, 'Main door');
      const scanId = randomUUID();
      expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber, scanId }));
      return by({ email: name, organization }, () => visitor.call(undoCheckIn, { eventId, scanId }), eventId);
    },
    async 'refund-tickets'() {
      await ticketsOf(eventId, 1, 'refunded@example.com');
      const { id } = await app.db
        .selectFrom('tickets')
        .where('buyerEmail', '=', 'refunded@example.com')
        .select('id')
        .executeTakeFirstOrThrow();
      return by(owner, () => owner.visitor.call(refundTickets, { eventId, ticketIds: [id] }), eventId);
    },
    async 'request-refund'() {
      const [confirmationCode = ''] = await ticketsOf(eventId, 1);
      return byNobody(organization, () => app.call(requestRefund, { eventId, confirmationCode }), eventId);
    },
    async 'keep-ticket'() {
      const [confirmationCode = ''] = await ticketsOf(eventId, 1, 'kept@example.com');
      expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
      const token = await linkTo(app, 'kept@example.com', /\/refund\/[\w-]{16}\/([\w-]{43})/);
      return byNobody(organization, () => app.call(keepTicket, { eventId, token }), eventId);
    },
    async 'object-to-check-in'() {
      const [confirmationNumber = ''] = await ticketsOf(eventId, 1, 'early@example.com');
      const door = await attendantOf(app, eventId, owner.attendantCode);
      expectOk(await door.call(checkGuest, { eventId, confirmationNumber }));
      const token = await linkTo(app, 'early@example.com', /\/checked-in\/[\w-]{16}\/([\w-]{43})/);
      return byNobody(organization, () => app.call(objectToCheckIn, { eventId, token }), eventId);
    },
    async 'delete-records'() {
      const email = 'forgotten@example.com';
      await ticketsOf(eventId, 1, email);
      expectOk(await app.call(requestRecordsLink, { email }));
      const token = await linkTo(app, email, /\/privacy\/([\w-]{43})/);
      return byNobody(null, () => app.call(deleteMyRecords, { token }));
    },
    /** Moves the clock by days, so it comes last. */
    async 'request-payout'() {
      const seller = await newSeller();
      await ticketsOf(seller.eventId, 3);
      await openPayout(app, seller);
      return by(seller, () => seller.visitor.call(requestPayout, { eventId: seller.eventId }), seller.eventId);
    },
  };
}
