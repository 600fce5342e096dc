-- What is left of each budget of tries. Unlogged: after a crash the counts start again, and nothing else is lost.
create unlogged table tries (
  -- A hash: neither addresses nor e-mails are kept here.
  key text primary key,
  points integer not null default 0,
  -- Milliseconds since 1970, by the database's clock.
  expire bigint
);
create index tries_expire on tries (expire);
