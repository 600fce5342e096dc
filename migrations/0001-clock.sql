-- Business time: the database's clock, plus an offset that only the sandbox ever moves.
create table business_clock (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  offset_seconds bigint not null default 0
);
insert into business_clock default values;

create function business_now() returns timestamptz
  language sql stable
  as $$ select now() + make_interval(secs => offset_seconds) from business_clock $$;
