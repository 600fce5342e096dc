-- Whether check-in devices find guests by name.
alter table events add column allows_name_search boolean not null default false;

-- Whether a check-in looks for something to show: a note, or an answer to a question that is shown at the door. Set with the first, never unset.
alter table events add column has_door_notes boolean not null default false;

-- Questions about access needs are shown at the door unless an organizer turns it off.
update guest_forms
   set questions = (select coalesce(jsonb_agg(q.question || jsonb_build_object('isShownAtDoor', q.question ->> 'kind' = 'access') order by q.at), '[]')
                      from jsonb_array_elements(questions) with ordinality as q (question, at));
update events e set has_door_notes = true
 where exists (select from guest_forms f where f.event_id = e.id and f.questions @> '[{"isShownAtDoor": true}]');

-- For people who need access, and with `companion` also for one who comes along at no charge.
alter table ticket_types
  add column access text check (access in ('alone', 'companion'));
