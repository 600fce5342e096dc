-- One or two lines an order: a bitmap for each is a third of the time of giving holds back.
alter function give_back_unopened set enable_bitmapscan = off;
