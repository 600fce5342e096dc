import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { supportMailbox } from '#contract/contacts.ts';
import { Page } from '#web/ui/Page.tsx';
import styles from './FaqScreen.module.css';
import { forAttendees, forOwners, type Question } from './questions.tsx';

export function FaqScreen() {
  return (
    <Page title="FAQ" heading="Frequently asked questions" width="text">
      <Section id="event-owners" title="For event owners" questions={forOwners} />
      <Section id="attendees" title="For attendees" questions={forAttendees} />
      <p>
        Nothing fits? Write to <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>. A person answers, day and
        night.
      </p>
    </Page>
  );
}

function Section({ id, title, questions }: { id: string; title: string; questions: readonly Question[] }) {
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

/** Each question has an address, and arrives open when someone comes by it. */
function Entry({ id, question, answer }: Question) {
  const { hash } = useLocation();
  const [isOpen, setOpen] = useState(hash === `#${id}`);
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
