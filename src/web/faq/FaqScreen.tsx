import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { supportMailbox } from '#messages/contacts.ts';
import { plural } from '#messages/format.ts';
import { offerTexts } from '#messages/offer.ts';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { Page } from '#web/ui/page/Page.tsx';
import { useOffer } from '#web/use-offer.ts';
import styles from './FaqScreen.module.css';
import { forAttendees, forOwners, type Question } from './questions.tsx';
import { textOf } from './text-of.ts';

export function FaqScreen() {
  const [search, setSearch] = useState('');
  const { offer, isFailed, reload } = useOffer();
  const owners = (offer ? forOwners(offer) : []).filter((question) => matches(question, search));
  const attendees = forAttendees.filter((question) => matches(question, search));
  const found = owners.length + attendees.length;

  return (
    <Page title="FAQ" heading="Frequently asked questions" width="text">
      <search className={styles.search}>
        <label htmlFor="faq-search">Search questions</label>
        <input
          id="faq-search"
          type="search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <p role="status">{search.trim() !== '' && resultCount(found, search.trim())}</p>
      </search>
      {isFailed && <NotLoaded msg={offerTexts.notLoaded} onRetry={reload} />}
      <Section id="event-owners" title="For event owners" questions={owners} />
      <Section id="attendees" title="For attendees" questions={attendees} />
      <p>
        Still stuck? Email <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>, 24/7.
      </p>
    </Page>
  );
}

/** Every search word must appear in the question or its answer. */
function matches({ question, answer }: Question, search: string): boolean {
  const text = `${question} ${textOf(answer)}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function resultCount(count: number, search: string): string {
  if (count === 0) return `No results for "${search}".`;
  return plural(count, { one: '# question', other: '# questions' });
}

function Section({ id, title, questions }: { id: string; title: string; questions: readonly Question[] }): ReactNode {
  if (questions.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className={styles.questions}>
        {questions.map((question) => (
          <Entry key={question.id} {...question} />
        ))}
      </div>
    </section>
  );
}

/** Each question has an anchor and opens when linked to. */
function Entry({ id, question, answer }: Question) {
  const { hash } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (hash === `#${id}`) setOpen(true);
  }, [hash, id]);

  return (
    <details id={id} className={styles.entry} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{question}</h3>
      </summary>
      <div className={styles.answer}>{answer}</div>
    </details>
  );
}

export { FaqScreen as Component };
