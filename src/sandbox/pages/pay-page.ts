/** The payment page: order, form and test cards. */

import type { StoredSession } from '#sandbox/payments/checkout-sessions.ts';
import { testBankAccounts } from '#sandbox/payments/test-bank-accounts.ts';
import { type TestCard, testCards } from '#sandbox/payments/test-cards.ts';
import { html, type Markup } from './html.ts';
import { formatCents, layout } from './layout.ts';
import type { FieldErrors, FieldName } from './parse-payment.ts';
import type { Fields } from './requests.ts';

const VISIBLE_CARDS = 4;

export interface FormState {
  /** Values to prefill. Never a card number or security code that the buyer entered. */
  values: Fields;
  errors: FieldErrors;
  /** The decline message for the last card. */
  declined: string | null;
}

export const emptyForm = (session: StoredSession): FormState => ({
  values: { email: session.body.customer_email ?? '' },
  errors: {},
  declined: null,
});

export function payPage(session: StoredSession, state: FormState): string {
  const { body } = session;
  const isFree = body.amount_total === 0;
  const title = isFree ? 'Complete your order' : 'Pay for your order';
  return layout(
    title,
    html`<div class="columns">
<section class="order" aria-label="Your order">
${body.cancel_url ? html`<p><a class="back" href="${body.cancel_url}">&larr; Back</a></p>` : null}
<h1>${title}</h1>
<p class="total">${formatCents(body.amount_total)}</p>
<ul class="list">
${session.inside.lines.map(
  (line) =>
    html`<li><span>${line.description}<small>Qty ${line.quantity} &times; ${formatCents(line.price.unit_amount)}</small></span><b>${formatCents(line.amount_total)}</b></li>`,
)}
<li class="sum"><span>Total due</span><b>${formatCents(body.amount_total)}</b></li>
</ul>
</section>
<section class="card" aria-label="Payment">
${alert(state)}
<form method="post" action="/sandbox/pay/${body.id}" novalidate>
<input type="hidden" name="csrf" value="${session.inside.csrf}">
${field(state, { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', hint: "We'll send your tickets here." })}
${isFree ? null : cardFields(state)}
<button class="button pay" type="submit">${isFree ? 'Complete order' : `Pay ${formatCents(body.amount_total)}`}</button>
${isFree ? null : testCardPicker()}
</form>
</section>
</div>`,
    { wide: true },
  );
}

function alert({ declined, errors }: FormState): Markup | null {
  const text = declined ?? (Object.keys(errors).length > 0 ? 'Please correct the highlighted fields.' : null);
  return text === null ? null : html`<p class="alert" role="alert">${text}</p>`;
}

function cardFields(state: FormState): Markup {
  return html`<fieldset>
<legend>Card</legend>
${field(state, { name: 'number', label: 'Card number', autocomplete: 'cc-number', numeric: true, placeholder: '1234 1234 1234 1234' })}
<div class="pair">
${field(state, { name: 'exp', label: 'Expiration date', autocomplete: 'cc-exp', numeric: true, placeholder: 'MM / YY' })}
${field(state, { name: 'cvc', label: 'Security code', autocomplete: 'cc-csc', numeric: true, placeholder: 'CVC' })}
</div>
<div class="pair">
${field(state, { name: 'name', label: 'Name (optional)', autocomplete: 'cc-name' })}
${field(state, { name: 'zip', label: 'ZIP (optional)', autocomplete: 'postal-code', numeric: true, placeholder: '12345' })}
</div>
</fieldset>`;
}

interface FieldSettings {
  name: FieldName;
  label: string;
  autocomplete: string;
  type?: 'email' | 'text';
  hint?: string;
  placeholder?: string;
  numeric?: boolean;
}

function field({ values, errors }: FormState, settings: FieldSettings): Markup {
  const { name, label, autocomplete, type = 'text', hint, placeholder = '', numeric = false } = settings;
  const error = errors[name];
  const described = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${values[name] ?? ''}" autocomplete="${autocomplete}" placeholder="${placeholder}"${
    numeric ? html` inputmode="numeric"` : null
  }${described ? html` aria-describedby="${described}"` : null}${error ? html` aria-invalid="true"` : null}>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
${error ? html`<p class="error" id="${name}-error">${error}</p>` : null}
</div>`;
}

/** Placed after the pay button, so that Enter submits the payment. */
function testCardPicker(): Markup {
  return html`<section class="test-cards" aria-label="Test cards">
<h2>Use a test card</h2>
<p class="hint">Select a card to fill it in. Use any future expiration date and any security code.</p>
<ul>${testCards.slice(0, VISIBLE_CARDS).map(fillButton)}</ul>
<details>
<summary>More test cards</summary>
<ul>${testCards.slice(VISIBLE_CARDS).map(fillButton)}</ul>
</details>
</section>
<section class="test-cards" aria-label="Test bank accounts">
<h2>Use a test bank account</h2>
<p class="hint">Bank payments succeed or fail after an hour. Enter the account number as the card number, without an expiration date or security code. Stripe only offers bank payments if you enable them.</p>
<ul>${testBankAccounts.map(fillButton)}</ul>
</section>`;
}

const fillButton = ({ name, number, description }: Pick<TestCard, 'name' | 'number' | 'description'>) =>
  html`<li><button type="submit" name="fill" value="${name}" formnovalidate><b>${number}</b><small>${description}</small></button></li>`;

export function challengePage({ body, inside }: StoredSession): string {
  return layout(
    'Confirm your payment',
    html`<section class="card message">
<h1>Confirm your payment</h1>
<p>Your bank needs you to confirm this payment of <b>${formatCents(body.amount_total)}</b>${
      inside.challenged ? html` with the card ending in ${inside.challenged.card.last4}` : null
    }.</p>
<form method="post" action="/sandbox/pay/${body.id}/challenge" class="stack">
<input type="hidden" name="csrf" value="${inside.csrf}">
<button class="button" type="submit" name="outcome" value="complete">Complete</button>
<button class="button ghost" type="submit" name="outcome" value="fail">Fail</button>
</form>
</section>`,
  );
}
