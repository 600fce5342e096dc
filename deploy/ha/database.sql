-- Run once on the primary, as postgres: psql --set=password=PASSWORD --file=database.sql
create role handstamp login createrole password :'password';
create database handstamp owner handstamp;
-- Lets /metrics show how far the standbys are behind.
create role handstamp_app nologin;
grant handstamp_app to handstamp with admin option;
grant pg_read_all_stats to handstamp_app;
